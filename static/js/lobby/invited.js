/* This player waits for somebody: noted before anything else of the page is there, so that whichever
   page comes next asks what became of it, however soon it comes. See shared/waiting.js. */

localStorage.setItem("waiting", "yes");
