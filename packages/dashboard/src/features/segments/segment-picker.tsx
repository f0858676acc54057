import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { lazily } from "../../lib/lazily.ts";

import { Popover } from "../../ui/popover/popover.tsx";
import { useSite, useSiteSearch } from "../site/index.ts";
import styles from "./segment-picker.module.css";
import { nameOf, t } from "./segment-words.ts";
import { segmentsQuery } from "./segments-query.ts";

const Choices = lazily(async () => ({ default: (await import("./segment-choices.tsx")).Choices }));

/** Which saved segment the figures are of. */
export function SegmentPicker() {
	const site = useSite();
	const { segment } = useSiteSearch();
	// Only a chosen segment has a name to show; the others are asked for when the panel opens.
	const { data } = useQuery({ ...segmentsQuery(site.id), enabled: segment !== undefined });
	const chosen = data?.find(({ id, name }) => segment === name || segment === id);
	return (
		<Popover
			name={chosen ? `${t.segment}: ${nameOf(chosen)}` : t.segment}
			label={
				<>
					<span className={styles.label}>{chosen ? nameOf(chosen) : (segment ?? t.segment)}</span>
					<ChevronDown size={16} aria-hidden="true" />
				</>
			}
		>
			{(close) => <Choices chosen={chosen?.name ?? segment} onDone={close} />}
		</Popover>
	);
}
