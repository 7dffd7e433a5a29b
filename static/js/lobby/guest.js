/* Becoming a player at one click. */

/* Make the visitor a guest, if they are nobody yet. Throws an Error with words for people. */
export async function becomeGuest() {
  let answer;
  try {
    answer = await fetch("/guest/", {
      method: "POST",
      headers: { "X-CSRFToken": token() },
      credentials: "same-origin",
    });
  } catch {
    throw new Error("The site cannot be reached just now. Please try again.");
  }
  if (answer.status === 429) throw new Error("Too many at once from here. Please wait a minute.");
  if (!answer.ok) throw new Error("That did not work. Please reload the page and try again.");
  renewForms();
}

/* Who logs in gets another token: the forms of this page, made before, take it too. */
function renewForms() {
  for (const field of document.querySelectorAll('input[name="csrfmiddlewaretoken"]')) {
    field.value = token();
  }
}

/* The token that forms carry; its cookie has another name under https. */
function token() {
  return cookie("__Host-csrftoken") || cookie("csrftoken");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
