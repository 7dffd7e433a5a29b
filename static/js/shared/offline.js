/* The service worker, which shows the offline page when there is no connection; and that page's
   return to the site. The site works in browsers without service workers too. This module imports
   nothing, because the worker keeps only the files that the offline page names. */

const CHECK_INTERVAL = 3000; // ms

let timer = 0;

async function checkConnection() {
  clearTimeout(timer);
  try {
    const response = await fetch("/healthz", { cache: "no-store" });
    if (response.ok) {
      leaveOfflinePage();
      return;
    }
  } catch {
    // still no connection
  }
  timer = setTimeout(checkConnection, CHECK_INTERVAL);
}

/** The offline page stands at the address that the visitor asked for, or at its own. */
function leaveOfflinePage() {
  if (location.pathname === "/offline/") location.replace("/");
  else location.reload();
}

navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
if (document.querySelector("[data-offline]")) {
  window.addEventListener("online", checkConnection);
  timer = setTimeout(checkConnection, CHECK_INTERVAL);
}
