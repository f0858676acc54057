import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Organization } from "../organizations/index.ts";
import { changesQuery } from "./queries.ts";
import { t } from "./texts.ts";

type Change = Answer<"GET /billing/subscription/history">[number];

/** Changes of the subscription, newest first. */
export function ChangesCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(changesQuery(organization.id));
	return (
		<Card label={t.changes} title={t.changes}>
			<Loaded query={query} isEmpty={(changes) => changes.length === 0} empty={<p>{t.noChanges}</p>}>
				{(changes) => (
					<Items label={t.changes}>
						{changes.map((change) => (
							<Item
								key={change.id}
								title={t.acts[change.action] ?? change.action}
								state={change.success ? undefined : { text: t.failed, tone: "bad" }}
								facts={[time(change.created_at), byOf(change), ...differences(change)].join(" · ")}
							>
								{change.error_message !== null && <p>{change.error_message}</p>}
							</Item>
						))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}

const byOf = ({ source, user_name: name, user_email: email }: Change): string => name ?? email ?? t.sources[source];

const told = ["status", "plan_tier", "billing_interval", "cancel_at_period_end"] as const;

/** Old and new state: `past_due → active`. */
const differences = ({ previous_state: before, new_state: after }: Change): readonly string[] =>
	told
		.filter((name) => before?.[name] !== after?.[name] && after?.[name] !== undefined)
		.map((name) =>
			before?.[name] === undefined ? said(after?.[name]) : `${said(before[name])} → ${said(after?.[name])}`,
		);

const said = (value: unknown): string => t.values[String(value)] ?? String(value);
