-- The two roles of the project and its database, made by the superuser: docs/several-nodes.md says how.
--
-- `pyramid_owner` migrates: it owns the tables, with the triggers that keep the logs. `pyramid_server` is what the
-- servers and workers connect as: it reads and writes rows, and can neither change a table nor switch off a trigger.
\set ON_ERROR_STOP on
-- They may be there already, when another database is made, such as an empty one for a backup.
SELECT format('CREATE ROLE %I LOGIN NOINHERIT', name) FROM unnest(ARRAY['pyramid_owner', 'pyramid_server']) AS name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE pyramid_owner PASSWORD :'owner_password';
ALTER ROLE pyramid_server PASSWORD :'server_password';
-- Keys are compared by their bytes; the language of the server may sort otherwise, and with its next version differently.
CREATE DATABASE pyramid OWNER pyramid_owner TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE 'C';
REVOKE ALL ON DATABASE pyramid FROM PUBLIC;
GRANT CONNECT ON DATABASE pyramid TO pyramid_server;

\connect pyramid
ALTER SCHEMA public OWNER TO pyramid_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO pyramid_server;
ALTER DEFAULT PRIVILEGES FOR ROLE pyramid_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO pyramid_server;
ALTER DEFAULT PRIVILEGES FOR ROLE pyramid_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO pyramid_server;
