/** Pictures and files of messages. */

import { h, icon } from "./dom.js";
import { showPicture } from "./dialogs.js";
import { localUrl } from "./state.js";
import { say } from "./words.js";

/** Return a picture that opens in full size; `media` has url, width, height and description. */
export function picture(media, classes = "picture") {
  const alt = media.description ?? "";
  const image = h("img", { src: localUrl(media.url), alt, decoding: "async" });
  const label = alt ? say("Open picture: {alt}", { alt }) : say("Open picture");
  // Reserve the space of the picture, so that nothing below it jumps when it loads.
  const sized = media.width && media.height;
  const style = sized ? { "--width": media.width, "--height": media.height } : null;
  return h("button", { type: "button", class: sized ? `${classes} sized` : classes, style, "aria-label": label, dataset: { testid: "picture" }, onclick: () => showPicture(localUrl(media.url), alt) }, image);
}

/** Return pictures, side by side if there are several. */
export function pictures(all) {
  return h("div", { class: all.length > 1 ? "pictures many" : "pictures" }, all.map((each) => picture(each)));
}

/** Return a file to download; `media` has url, name and size in bytes. */
export function file(media) {
  return h("a", { class: "file", href: localUrl(media.url), download: media.name, dataset: { testid: "file" } }, icon("file"), h("span", {}, media.name), h("small", {}, size(media.size)));
}

const size = (bytes) => (bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);
