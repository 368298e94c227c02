import { describe, expect, test } from "vitest";
import { outboundMessage } from "./outbound-message";

const nothing = {
  content: {},
  mediaId: null,
  mediaFilename: null,
  template: null,
  referencedUpstreamId: null,
};

describe("a stored message", () => {
  test("of type text says its body", () => {
    const said = { ...nothing, type: "text", content: { text: { body: "Hello" } } };
    expect(outboundMessage(said)).toEqual({ type: "text", body: "Hello" });
  });

  test("with media says its caption, and an upload goes before an address", () => {
    const content = { media: { url: "https://example.com/a.png" }, text: { body: "Look" } };
    const said = { ...nothing, type: "image", content };
    const message = { type: "image", caption: "Look", filename: null };
    expect(outboundMessage(said)).toEqual({ ...message, source: { link: "https://example.com/a.png" } });
    expect(outboundMessage({ ...said, mediaId: "7" })).toEqual({ ...message, source: { id: "7" } });
  });

  test.each(["", " \n"])("with a caption of %j, which nobody sees, says none", (body) => {
    const content = { media: { url: "https://example.com/a.png" }, text: { body } };
    expect(outboundMessage({ ...nothing, type: "image", content })).toMatchObject({ caption: null });
  });

  test("of type document has the name that was given, else the upload's", () => {
    const said = { ...nothing, type: "document", mediaId: "7", mediaFilename: "upload.pdf" };
    const named = { ...said, content: { media: { filename: "given.pdf" } } };
    expect(outboundMessage(named)).toMatchObject({ filename: "given.pdf" });
    expect(outboundMessage({ ...said, content: { media: {} } })).toMatchObject({ filename: "upload.pdf" });
  });

  test.each(["image", "audio", "video"])("of type %s says no name, whichever was given", (type) => {
    const content = { media: { url: "https://example.com/", filename: "given.png" } };
    const said = { ...nothing, type, content, mediaFilename: "upload.png" };
    expect(outboundMessage(said)).toMatchObject({ filename: null });
  });

  test("of type template says name, language and parameters", () => {
    const template = { name: "hi", language: "en_US", components: [{ type: "BODY", text: "Hello {{1}}" }] };
    const content = { template: { variables: { "1": "Ada" } } };
    expect(outboundMessage({ ...nothing, type: "template", content, template })).toEqual({
      type: "template",
      name: "hi",
      language: "en_US",
      components: [{ type: "body", parameters: [{ type: "text", text: "Ada" }] }],
    });
  });

  test.each(["text", "image", "template", "unknown"])(
    "of type %s whose content was erased can't be sent",
    (type) => {
      expect(outboundMessage({ ...nothing, type })).toBeNull();
    },
  );
});
