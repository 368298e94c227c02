import { ActionIcon, FileButton, Group, Text } from "@mantine/core";
import { useRef } from "react";
import { IconFile, IconPaperclip, IconX } from "@/app/ui/icons";
import { Fault } from "@/app/ui/query-state";
import { typeWords } from "../shared/type-words";
import styles from "./composer.module.css";
import type { Attachment, useAttachment } from "./use-attachment";
import { mayHaveCaption, sizeWords } from "./words";

/** Attaches a file to an answer. */
export function AttachButton({
  isDisabled,
  onChoose,
}: {
  isDisabled: boolean;
  onChoose: (file: File) => void;
}) {
  const reset = useRef<() => void>(null);
  const choose = (file: File | null) => {
    // A browser says nothing when the same file is chosen again.
    reset.current?.();
    if (file !== null) onChoose(file);
  };
  return (
    <FileButton onChange={choose} resetRef={reset} disabled={isDisabled}>
      {({ onClick }) => (
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Attach a file"
          title="Attach a file"
          disabled={isDisabled}
          onClick={onClick}
        >
          <IconPaperclip size={18} aria-hidden />
        </ActionIcon>
      )}
    </FileButton>
  );
}

interface Props {
  readonly upload: ReturnType<typeof useAttachment>;
  readonly attachment: Attachment | null;
  /** The fault of the attached file, in words; null if there is none. */
  readonly fault: string | null;
  readonly onRemove: () => void;
}

/** The attached file, while it is uploaded and until it is sent. */
export function Attached({ upload, attachment, fault, onRemove }: Props) {
  const { uploading } = upload;
  return (
    <>
      {uploading === null ? null : (
        <Line name={uploading.file.name} remove="Cancel the upload" onRemove={upload.cancel}>
          {sizeWords(uploading.file.size)} · uploading
          <progress
            className={styles.progress}
            max={100}
            value={uploading.percent}
            aria-label={`Upload of ${uploading.file.name}`}
          />
        </Line>
      )}
      {attachment === null ? null : (
        <Line name={attachment.name} remove="Remove the file" onRemove={onRemove}>
          {typeWords(attachment.type)} · {sizeWords(attachment.size)}
          {mayHaveCaption(attachment.type) ? "" : " · sent without a text"}
        </Line>
      )}
      {fault === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      <Fault of={upload.fault} />
    </>
  );
}

function Line({
  name,
  remove,
  onRemove,
  children,
}: {
  name: string;
  remove: string;
  onRemove: () => void;
  children: React.ReactNode;
}) {
  return (
    <Group gap="xs" wrap="nowrap" className={styles.attached}>
      <IconFile size={24} stroke={1.4} aria-hidden style={{ flex: "none" }} />
      <div className={styles.attachedName}>
        <Text size="sm" truncate dir="auto" title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" component="div" aria-live="polite">
          {children}
        </Text>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={remove} title={remove} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
