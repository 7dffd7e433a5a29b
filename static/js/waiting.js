/* Says what is happening while one waits for an opponent. */

const panel = document.getElementById("waiting");
const text = document.getElementById("waiting-text");
const since = document.getElementById("waiting-since");
const title = document.title;
let timer = 0;

export function showWaiting(game, from) {
  const words = `Looking for an opponent for ${game}. Your match begins here by itself.`;
  if (text.textContent !== words) text.textContent = words;
  panel.hidden = false;
  document.title = `Looking… · ${title}`;
  panel.scrollIntoView({ block: "nearest" });
  clearInterval(timer);
  const tick = () => {
    const seconds = Math.floor((Date.now() - from) / 1000);
    since.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  tick();
  timer = setInterval(tick, 1000);
}

export function stopWaiting() {
  clearInterval(timer);
  panel.hidden = true;
  document.title = title;
}
