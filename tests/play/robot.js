/** Functions of the robot in the page. They wait by events, without polling. */
globalThis.robot = (() => {
  const words = (node) => [...node.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(" ").replace(/\s+/g, " ");
  const last = (isPrivate) => [...document.querySelectorAll(`[data-testid=message][data-private=${isPrivate}]`)].at(-1);
  const content = () => [...(last(false)?.querySelectorAll("[data-testid=content]") ?? [])].map((part) => part.textContent).join("\n");

  let cached = {};

  /** Return the text of the newest post with line breaks, without its header, which not all posts have. */
  const postText = () => {
    const parts = [...(last(false)?.querySelector(".body").children ?? [])].filter((part) => !part.matches("header"));
    // innerText needs a layout, which is slow, so it is cached by textContent.
    const key = parts.map((part) => part.textContent).join("\n");
    if (key !== cached.key) cached = { key, text: parts.map((part) => part.innerText).join("\n") };
    return cached.text;
  };

  /** Return a text that changes with the private panel; empty if there is none. */
  const panel = () => {
    const message = last(true);
    if (!message || message.querySelector("[data-testid=thinking]")) return "";
    const texts = [...message.querySelectorAll(".text, .failure")].map((part) => part.textContent);
    const ids = [...message.querySelectorAll("[data-custom-id]")].map((part) => part.dataset.customId);
    return [message.dataset.messageId, ...texts, ...ids].join("\n");
  };

  const buttons = (message) => [...(message?.querySelectorAll(".row button.button:enabled, .section > button.button:enabled") ?? [])];

  const part = (node) => ({ type: node.dataset.testid === "select" ? 3 : 2, custom_id: node.dataset.customId ?? "", label: words(node) });

  /** Return the panel's buttons and selects as Discord's JSON, without options. */
  const shown = () => [...(last(true)?.querySelectorAll(".body button[data-custom-id]:enabled") ?? [])].map(part);

  /** Wait until `condition()` is true, checked on every change of the page; return whether it was within `ms`. */
  const until = (condition, ms) => new Promise((resolve) => {
    const end = (result) => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(result);
    };
    const check = () => condition() && end(true);
    const observer = new MutationObserver(check);
    const timer = setTimeout(() => end(false), ms);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    check();
  });

  /** Wait until the panel differs from `before`, or the message `id` shows a failure, or for 5 seconds. */
  const answered = (before, id) => {
    const refused = () => document.querySelector(`[data-message-id="${id}"] .failure:not([hidden])`);
    return until(() => !["", before].includes(panel()) || refused(), 5000);
  };

  /**
   * Press a button of a message by id, of the newest post ("post") or of the panel ("panel"), and wait for the answer.
   * Does not click by position, as new posts and pictures move the button. Returns "pressed", "missing" or "hidden".
   */
  const press = async (where, pattern, patience) => {
    const message = () => (where === "panel" ? last(true) : where === "post" ? last(false) : document.querySelector(`[data-message-id="${where}"]`));
    const button = () => buttons(message()).find((each) => pattern.test(words(each)));
    const before = panel();
    await until(() => button()?.checkVisibility(), patience);
    const element = button();
    // The panel may be moving below a new post; the next step finds it again.
    if (!element) return "missing";
    if (!element.checkVisibility({ visibilityProperty: true })) return "hidden";
    const id = element.closest("[data-message-id]").dataset.messageId;
    element.click();
    await answered(before, id);
    return "pressed";
  };

  return { answered, content, panel, postText, press, shown, until };
})();
