import { useQuery } from "@tanstack/react-query";
import { ago, count, percent } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Meter } from "../../ui/meter/meter.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { periodWords } from "./period-words.ts";
import { type Usage, usageQuery } from "./queries.ts";
import { t } from "./texts.ts";

const tones = { ok: "good", warning: "warn", exceeded: "bad", stopped: "bad" } as const;

/** Events of the period over all sites, and the effect of the limit. */
export function UsageCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(usageQuery(organization.id));
	const status = query.data?.status;
	return (
		<Card
			label={t.usage}
			title={t.usage}
			actions={status && !query.data?.is_unlimited && <State text={t.states[status]} tone={tones[status]} />}
		>
			<Loaded query={query}>{(usage) => <Events usage={usage} />}</Loaded>
		</Card>
	);
}

/** On this plan the limit is one for ever. */
const isForEver = ({ plan_tier: tier }: Usage): boolean => tier === "free";

function Events({ usage }: { readonly usage: Usage }) {
	const { human_events: events, agent_events: agents, event_limit: limit, status } = usage;
	const when = isForEver(usage) ? t.inAll : periodWords(usage.period_start, usage.period_end);
	return (
		<div className={styles.part}>
			<p className={styles.figure}>{count(events)}</p>
			{limit === null ? (
				<p>{t.noLimit(when)}</p>
			) : (
				<div>
					<Meter share={events / limit} isOver={status === "exceeded" || status === "stopped"} />
					<p>
						{t.ofLimit(percent(usage.percentage), count(limit), when)}
						{!isForEver(usage) && ` ${t.daysLeft(usage.days_remaining)}`}
					</p>
				</div>
			)}
			<p className={styles.muted}>{t.agents(count(agents))}</p>
			{limit !== null && <p>{t.follows[usage.plan_tier]}</p>}
			<p className={styles.hint}>{t.counted(ago(usage.last_synced_at))}</p>
		</div>
	);
}
