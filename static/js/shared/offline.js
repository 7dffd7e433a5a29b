/* The page without a connection: goes on by itself as soon as the site can be reached again. */

const EVERY = 3000; // ms

let timer = 0;

async function look() {
  clearTimeout(timer);
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) {
      goOn();
      return;
    }
  } catch {
    // not yet
  }
  timer = setTimeout(look, EVERY);
}

/* This page stands at the address that was asked for, unless somebody asked for this page. */
function goOn() {
  if (location.pathname === "/offline/") location.replace("/");
  else location.reload();
}

window.addEventListener("online", look);
timer = setTimeout(look, EVERY);
