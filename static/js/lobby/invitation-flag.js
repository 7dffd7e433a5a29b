/* Notes that this player is waiting, before the rest of the page is loaded: the next page then asks
   what became of the invitation, however soon the player leaves this one. See shared/waiting.js. */

localStorage.setItem("waiting", "yes");
