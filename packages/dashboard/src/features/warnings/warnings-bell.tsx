import { useIsFetching, useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { read } from "../../api/read.ts";
import { count } from "../../lib/format.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { useSite } from "../site/index.ts";
import { t } from "./texts.ts";
import { WarningList } from "./warning-list.tsx";
import styles from "./warnings.module.css";

const freshMs = 300_000;
const route = "GET /warnings";

/** A bell with the number of current warnings, which it lists; without any there is none. */
export function WarningsBell() {
	const { id } = useSite();
	// Over a slow line figures may still be on their way.
	const isBusy = useIsFetching({ predicate: ({ queryKey }) => queryKey[0] !== route }) > 0;
	const { data } = useQuery({
		...read(route, { query: { account_id: id } }),
		enabled: !isBusy,
		staleTime: freshMs,
		refetchInterval: freshMs,
	});
	const warnings = data?.warnings ?? [];
	if (warnings.length === 0) return null;
	const text = count(warnings.length);
	return (
		<Popover
			look="quiet"
			small
			name={t.name(warnings.length, text)}
			label={
				<>
					<Bell size={16} aria-hidden="true" className={styles.bell} />
					{text}
				</>
			}
		>
			{(close) => (
				<section className={styles.panel} aria-label={t.warnings}>
					<h2>{t.warnings}</h2>
					<WarningList warnings={warnings} site={id} onGo={close} />
				</section>
			)}
		</Popover>
	);
}
