/** Script of the page: a button copies the code beside it; details are open on paper. */

/** The whole script. Without it nothing of the page is missing but the buttons. */
export const script = `
for (const block of document.querySelectorAll(".code")) {
  const code = block.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  const said = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = "Copy"), 1600);
  };
  const byHand = () => {
    select();
    said(document.execCommand("copy") ? "Copied" : "Selected");
  };
  button.addEventListener("click", () => {
    if (!navigator.clipboard) return byHand();
    navigator.clipboard.writeText(code.textContent).then(() => said("Copied"), byHand);
  });
  block.append(button);
}
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open])")) {
    one.open = true;
    one.dataset.closed = "";
  }
});
addEventListener("afterprint", () => {
  for (const one of document.querySelectorAll("details[data-closed]")) {
    one.open = false;
    delete one.dataset.closed;
  }
});
`;
