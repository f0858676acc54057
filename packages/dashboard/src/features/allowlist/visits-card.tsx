import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { Pick } from "../../ui/pick/pick.tsx";
import { PageFoot, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { pageSize, visitsQuery } from "./use-allowlist.ts";

type Visit = Answer<"GET /ip-allowlist/audit">["attempts"][number];

const columns: readonly Column<Visit>[] = [
	{ key: "when", label: t.when, cell: ({ created_at: at }) => time(at) },
	{
		key: "outcome",
		label: t.outcome,
		cell: ({ access_granted: isGranted }) => (
			<State text={isGranted ? t.granted : t.refused} tone={isGranted ? "good" : "bad"} />
		),
	},
	{ key: "from", label: t.from, cell: ({ ip_address: address }) => address },
	{ key: "who", label: t.who, cell: ({ user_email: email }) => email ?? "–" },
	{ key: "how", label: t.how, cell: ({ auth_type: type }) => t.hows[type] },
	{ key: "by", label: t.by, cell: ({ matched_pattern: pattern }) => pattern ?? "–" },
];

/** Recent requests by address, with the decision of the list. */
export function VisitsCard() {
	const site = useSite();
	const [isDenied, setDenied] = useState(false);
	const { page: shown } = useSiteSearch();
	const change = useChangeSearch();
	const page = pageOf(shown);
	const query = useQuery({ ...visitsQuery(site.id, { isDenied, page }), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.visits}
			actions={
				<Pick
					checked={isDenied}
					onPick={(isOn) => {
						setDenied(isOn);
						change({ page: undefined });
					}}
				>
					{t.deniedOnly}
				</Pick>
			}
		>
			<p className={styles.hint}>{t.visitsHint}</p>
			<Loaded
				query={query}
				isEmpty={({ attempts }) => attempts.length === 0}
				empty={<p>{isDenied ? t.noDenied : t.noVisits}</p>}
			>
				{({ attempts, total, denied_count: denied }) => (
					<>
						<DataTable label={t.visits} columns={columns} rows={attempts} rowKey={({ id }) => String(id)} />
						<PageFoot page={page} pageSize={pageSize} total={isDenied ? denied : total} />
					</>
				)}
			</Loaded>
		</Card>
	);
}
