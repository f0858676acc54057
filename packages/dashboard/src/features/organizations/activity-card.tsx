import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import styles from "./organizations.module.css";
import { membersQuery, type Organization } from "./queries.ts";
import { t } from "./texts.ts";

type Entry = Answer<"GET /audit/logs">["logs"][number];

const pageSize = 20;

/** What was changed in the organization and on its sites. */
export function ActivityCard({
	organization: { slug, plan_tier: plan, plan_features: has },
}: {
	readonly organization: Organization;
}) {
	const [page, setPage] = useState(1);
	const hasLog = has.includes("audit");
	const query = useQuery({
		queryKey: ["GET /audit/logs", { organization: slug, page }],
		queryFn: ({ signal }) =>
			call("GET /audit/logs", { query: { organization: slug, page, page_size: pageSize }, signal }),
		placeholderData: keepPreviousData,
		enabled: hasLog,
	});
	if (!hasLog) {
		return (
			<Card title={t.activity}>
				<p className={styles.muted}>{t.noLog(plan)}</p>
			</Card>
		);
	}
	return (
		<Card title={t.activity}>
			<p className={styles.muted}>{t.activityText}</p>
			<Loaded query={query} isEmpty={({ logs }) => logs.length === 0} empty={<p>{t.noActivity}</p>}>
				{({ logs, total_pages: pages }) => (
					<>
						<Items label={t.activity}>
							{logs.map((entry) => (
								<EntryItem key={entry.id} slug={slug} entry={entry} />
							))}
						</Items>
						{pages > 1 && (
							<div className={styles.actions}>
								<Button small disabled={page === 1} onClick={() => setPage(page - 1)}>
									{t.newer}
								</Button>
								<Button small disabled={page >= pages} onClick={() => setPage(page + 1)}>
									{t.more}
								</Button>
							</div>
						)}
					</>
				)}
			</Loaded>
		</Card>
	);
}

function EntryItem({ slug, entry }: { readonly slug: string; readonly entry: Entry }) {
	const { data } = useQuery(membersQuery(slug));
	const person = data?.members.find((member) => String(member.user_id) === entry.resource_id)?.name;
	const thing = entry.resource_type === "member" ? (person ?? entry.resource_id) : entry.resource_id;
	const about = [thing, entry.account_id === entry.resource_id ? null : entry.account_id];
	const changes = Object.entries(entry.details).map(([field, value]) => `${field}: ${written(value)}`);
	return (
		<Item
			title={<code>{entry.action}</code>}
			facts={[time(entry.created_at), entry.user_name ?? t.system, ...about].filter(Boolean).join(" · ")}
		>
			{changes.length > 0 && <p className={styles.changes}>{changes.join(" · ")}</p>}
		</Item>
	);
}

/** Changed fields come as old and new; what has just been made has nothing old. */
function written(value: unknown): string {
	if (!Array.isArray(value) || value.length !== 2) return short(value);
	return value[0] === null ? short(value[1]) : `${short(value[0])} → ${short(value[1])}`;
}

const short = (value: unknown): string => {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
