/** What a robot reads and presses on the page, each in one visit; it waits by event, and never asks again. */
globalThis.robot = (() => {
  const words = (node) => [...node.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(" ").replace(/\s+/g, " ");
  const last = (isPrivate) => [...document.querySelectorAll(`[data-testid=message][data-private=${isPrivate}]`)].at(-1);
  const content = () => [...(last(false)?.querySelectorAll("[data-testid=content]") ?? [])].map((part) => part.textContent).join("\n");

  let laidOut = {};

  /** The newest post; who wrote it stands above it or not, as messages before it come and go. */
  const told = () => {
    const parts = [...(last(false)?.querySelector(".body").children ?? [])].filter((part) => !part.matches("header"));
    // The lines of a text are known only once it is laid out, which takes longest: not for each change elsewhere.
    const said = parts.map((part) => part.textContent).join("\n");
    if (said !== laidOut.said) laidOut = { said, told: parts.map((part) => part.innerText).join("\n") };
    return laidOut.told;
  };

  /** The private panel, so that any change of its question makes another text; empty while there is none. */
  const panel = () => {
    const own = last(true);
    if (!own || own.querySelector("[data-testid=thinking]")) return "";
    const said = [...own.querySelectorAll(".text, .failure")].map((part) => part.textContent);
    const ids = [...own.querySelectorAll("[data-custom-id]")].map((part) => part.dataset.customId);
    return [own.dataset.messageId, ...said, ...ids].join("\n");
  };

  const buttons = (message) => [...(message?.querySelectorAll(".row button.button:enabled, .section > button.button:enabled") ?? [])];

  const part = (node) => ({ type: node.dataset.testid === "select" ? 3 : 2, custom_id: node.dataset.customId ?? "", label: words(node) });

  /** The buttons and lists of the panel, as Discord has them; what a list holds is seen only once it is open. */
  const shown = () => [...(last(true)?.querySelectorAll(".body button[data-custom-id]:enabled") ?? [])].map(part);

  /** Waits until `holds()`, looking whenever the page changes. Whether it came to hold within so many ms. */
  const until = (holds, ms) => new Promise((resolve) => {
    const end = (came) => {
      observer.disconnect();
      clearTimeout(late);
      resolve(came);
    };
    const look = () => holds() && end(true);
    const observer = new MutationObserver(look);
    const late = setTimeout(() => end(false), ms);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    look();
  });

  /**
   * Waits until the panel asks something else than `before`, or the message that was pressed, if one is named, says
   * that it is of no use any more. An answer that comes late is looked for anew.
   */
  const answered = (before, id) => {
    const refused = () => document.querySelector(`[data-message-id="${id}"] .failure:not([hidden])`);
    return until(() => !["", before].includes(panel()) || refused(), 5000);
  };

  /**
   * Presses a button of a message (by id), of the newest post ("post") or of the panel ("panel"), and waits for the
   * answer. Pressed where it is, not where it was: a post or a picture that arrives moves it.
   * "pressed", "gone" if there is none, or "hidden".
   */
  const press = async (where, pattern, patience) => {
    const message = () => (where === "panel" ? last(true) : where === "post" ? last(false) : document.querySelector(`[data-message-id="${where}"]`));
    const button = () => buttons(message()).find((each) => pattern.test(words(each)));
    const before = panel();
    await until(() => button()?.checkVisibility(), patience);
    const found = button();
    // A panel moves below a new post; then the next look at it finds what is asked.
    if (!found) return "gone";
    if (!found.checkVisibility({ visibilityProperty: true })) return "hidden";
    const id = found.closest("[data-message-id]").dataset.messageId;
    found.click();
    await answered(before, id);
    return "pressed";
  };

  return { answered, content, panel, press, shown, told, until };
})();
