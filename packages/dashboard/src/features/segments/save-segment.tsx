import { Suspense } from "react";
import { may } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { useSite } from "../site/index.ts";
import styles from "./save-segment.module.css";

const SaveForm = lazily(async () => ({ default: (await import("./save-form.tsx")).SaveForm }));

const t = texts({ en: { title: "Save as segment" }, es: { title: "Guardar como segmento" } });

/** Saves the current filters as a segment, including those of an applied segment. */
export function SaveSegment() {
	const site = useSite();
	if (!may("POST /segments", site.role)) return null;
	return (
		<Popover look="quiet" small label={t.title}>
			{(close) => (
				<Suspense fallback={<div className={styles.place} />}>
					<SaveForm onDone={close} />
				</Suspense>
			)}
		</Popover>
	);
}
