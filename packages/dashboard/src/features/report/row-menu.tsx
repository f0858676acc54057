import { MoreHorizontal } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import type { RowActionsProps } from "./row-actions.tsx";

const RowActions = lazily(async () => ({ default: (await import("./row-actions.tsx")).RowActions }));

const t = texts({
	en: { more: (value: string) => `More actions for ${value}` },
	es: { more: (value: string) => `Más acciones para ${value}` },
});

/** Menu of the actions on a row of a list. */
export function RowMenu(row: RowActionsProps) {
	return (
		<Popover look="quiet" small icon name={t.more(row.shown)} label={<MoreHorizontal size={16} aria-hidden="true" />}>
			{(close) => <RowActions {...row} close={close} />}
		</Popover>
	);
}
