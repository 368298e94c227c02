import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";

/** Shows the number of new items, if inserting them would move the content being read. */
export function News({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      aria-live="polite"
      style={{ position: "sticky", top: 64, zIndex: 2, textAlign: "center", height: 0 }}
    >
      {count === 0 ? null : (
        <Button
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={onShow}
        >
          {count} new
        </Button>
      )}
    </div>
  );
}
