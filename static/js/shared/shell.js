/* The service worker, which shows a page of ours where there is no connection. The site works
   without one: where the browser refuses it, nothing is lost. */

navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
