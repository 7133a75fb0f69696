// The page of a player: follow, or do not follow any more.
import { say } from "../dom.js";
import { request } from "../http.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("follow"));

/** @param {HTMLButtonElement} follow */
async function wire(follow) {
  const handle = follow.dataset.handle ?? "";
  const found = await request("/api/boards/following/");
  let isFollowed = Boolean(found?.players.some((/** @type {{ handle: string }} */ player) => player.handle === handle));
  const show = () => {
    say(follow, (isFollowed ? follow.dataset.unfollow : follow.dataset.follow) ?? "");
    follow.setAttribute("aria-pressed", String(isFollowed));
    follow.hidden = false;
  };
  follow.addEventListener("click", async () => {
    const done = await request(`/api/boards/following/${handle}/`, isFollowed ? "DELETE" : "PUT");
    if (done) isFollowed = !isFollowed;
    show();
  });
  show();
}

if (button) wire(button);
