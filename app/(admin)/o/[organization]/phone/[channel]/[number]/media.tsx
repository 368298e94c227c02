import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/app/ui/trpc";
import { typeWords } from "../../../shared/type-words";
import styles from "./phone.module.css";
import { type Bubble, usePhoneName } from "./use-phone";

type Shown = NonNullable<Bubble["media"]>;

/** Types that a browser shows as a picture and that can’t run anything. */
const PICTURE = /^image\/(jpeg|png|webp)$/;
const AUDIO = /^audio\/[\w.+-]+(; *codecs=[\w.+-]+)?$/;
const VIDEO = /^video\/(mp4|3gpp)$/;

/** Kinds whose files are small and shown at once. Others may have many megabytes, and are loaded when asked for. */
const SHOWN_AT_ONCE: ReadonlySet<string> = new Set(["image", "sticker"]);

/** A file of a message: a picture, a player, or a link that downloads it. */
export function Media({ of: media }: { of: Shown }) {
  if (media.id !== undefined) return <StoredFile media={media} id={media.id} />;
  const name = nameOf(media);
  // Another server’s file isn’t loaded: the page would tell that server who looks at it.
  return (
    <p className={styles.card}>
      {name}
      {media.link === undefined ? null : (
        <>
          {" at "}
          <span className={styles.address}>{media.link}</span>
        </>
      )}
    </p>
  );
}

function StoredFile({ media, id }: { media: Shown; id: string }) {
  const trpc = useTRPC();
  const phone = usePhoneName();
  const isAtOnce = SHOWN_AT_ONCE.has(media.kind);
  const [isAsked, setAsked] = useState(false);
  const { data, isLoading, error } = useQuery(
    trpc.phone.file.queryOptions(
      { ...phone, media: id },
      { staleTime: Infinity, enabled: isAtOnce || isAsked },
    ),
  );
  const name = nameOf(media);
  if (error !== null) return <p className={styles.card}>{name} can’t be loaded.</p>;
  if (data === null)
    return (
      <p className={styles.card}>
        {name} can’t be loaded: it is larger than 16 MiB, or the simulator no longer has it.
      </p>
    );
  if (data === undefined && isAtOnce) return <p className={styles.card}>{name} is loading…</p>;
  if (data === undefined)
    return (
      <Button variant="default" size="xs" loading={isLoading} onClick={() => setAsked(true)}>
        Load {name}
      </Button>
    );
  // The button that asked for it had the focus.
  const ref = isAsked ? focus : undefined;
  const { mimeType } = data;
  const address = `data:${mimeType};base64,${data.base64}`;
  if (PICTURE.test(mimeType)) {
    // The bytes are here already: there is nothing for Next to optimize.
    // oxlint-disable-next-line next/no-img-element
    return <img className={styles.picture} data-kind={media.kind} src={address} alt={name} />;
  }
  if (AUDIO.test(mimeType)) {
    // Customers' recordings have no captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <audio ref={ref} className={styles.player} controls src={address} aria-label={name} />;
  }
  if (VIDEO.test(mimeType)) {
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <video ref={ref} className={styles.picture} controls src={address} aria-label={name} />;
  }
  return (
    <p className={styles.card}>
      <span aria-hidden>📄 </span>
      <Anchor
        ref={ref}
        href={`data:application/octet-stream;base64,${data.base64}`}
        download={name}
        inherit
        dir="auto"
      >
        {name}
      </Anchor>
    </p>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

function nameOf({ filename, kind, is_voice }: Shown): string {
  return filename ?? (is_voice ? "Voice note" : typeWords(kind));
}
