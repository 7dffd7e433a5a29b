/* Caches the shell: static files whose names change with their content, and the offline page, which
   is the same for everyone. Other pages are never cached, because they belong to one person. */

const { version, offline, files } = {{ kept }};
const SHELL = `shell-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(SHELL).then((shell) => shell.addAll([offline, ...files]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(
      names.filter((name) => name.startsWith("shell-") && name !== SHELL)
        .map((name) => caches.delete(name)),
    )),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(offline)));
  } else if (files.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  }
});
