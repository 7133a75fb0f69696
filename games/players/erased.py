"""The mark of players whose personal data has been deleted."""

from django.db.models import Q

DELETED_NAME = "Deleted player"
# Nobody is called so otherwise: who has a name has its key too.
ERASED = Q(is_active=False, display_name=DELETED_NAME, name_key="")
