/**
 * Small files of the types that customers send most: what a customer's message contains unless the test gives a file.
 * An image of one pixel, half a second of silence, a video without a frame, and an empty page. In base64.
 */
const demoFiles: Readonly<Record<string, string>> = {
  "image/jpeg":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCoANNP/9k=",
  "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQvZwGAAJ/AV9X3CpyAAAAAElFTkSuQmCC",
  "image/webp": "UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoBAAEAAsBMJaACdLoAA5gA/tju9d4tMUP/Owf2b+9HTMAA",
  "audio/ogg":
    "T2dnUwACAAAAAAAAAAABAAAAAAAAAByf9dkBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAA0NMrgEXT3B1c1RhZ3MHAAAAd2F5cG9zdAAAAABPZ2dTAATAXQAAAAAAAAEAAAACAAAACWvDNRkDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD+P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/++P/+",
  "video/mp4":
    "AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAHRtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAAAAABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAACG1kYXQ=",
  "application/pdf":
    "JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+CmVuZG9iagoyIDAgb2JqPDwvVHlwZS9QYWdlcy9LaWRzWzMgMCBSXS9Db3VudCAxPj4KZW5kb2JqCjMgMCBvYmo8PC9UeXBlL1BhZ2UvUGFyZW50IDIgMCBSL01lZGlhQm94WzAgMCA3MiA3Ml0+PgplbmRvYmoKeHJlZgowIDQKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDA5IDAwMDAwIG4gCjAwMDAwMDAwNTMgMDAwMDAgbiAKMDAwMDAwMDEwMyAwMDAwMCBuIAp0cmFpbGVyPDwvU2l6ZSA0L1Jvb3QgMSAwIFI+PgpzdGFydHhyZWYKMTY1CiUlRU9GCg==",
  "text/plain": "SGVsbG8K",
};

const fallback = "text/plain";

/** Returns a small file of a type, whose parameters (`; codecs=opus`) are ignored. A line of text for other types. */
export function demoFile(mimeType: string): Buffer {
  const bare = mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const base64 = Object.hasOwn(demoFiles, bare) ? demoFiles[bare] : demoFiles[fallback];
  return Buffer.from(base64 ?? "", "base64");
}
