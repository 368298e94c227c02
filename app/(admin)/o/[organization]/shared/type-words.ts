const TYPE_WORDS: Readonly<Record<string, string>> = {
  image: "Picture",
  audio: "Audio",
  video: "Video",
  document: "Document",
  sticker: "Sticker",
  template: "Template",
  location: "Location",
  contacts: "Contact card",
  interactive: "Choice",
  button: "Choice",
  order: "Order",
  reaction: "Reaction",
  revoke: "Deleted message",
  edit: "Changed message",
  system: "News of WhatsApp",
  call: "Call",
  unsupported: "Message that WhatsApp can’t pass on",
};

/** Returns a message's type in words. */
export function typeWords(type: string): string {
  return TYPE_WORDS[type] ?? "Message";
}
