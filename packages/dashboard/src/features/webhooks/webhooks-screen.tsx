import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { ago } from "../../lib/format.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { PlanLock, usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { type Endpoint, endpointsQuery, stateOf, useSwitch } from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** The webhook endpoints of a site. */
export function WebhooksScreen() {
	const site = useSite();
	const [isAdding, setAdding] = useState(false);
	const endpoints = useQuery(endpointsQuery(site.id));
	const isInPlan = usePlanHas("webhooks");
	const mayAdd = isInPlan && may("POST /webhooks", site.role);
	return (
		<>
			<ScreenHead title={t.title}>
				{mayAdd && <AddButton onClick={() => setAdding(true)}>{t.add}</AddButton>}
			</ScreenHead>
			<p className="intro">{t.intro}</p>
			<PlanLock feature="webhooks" />
			<Card label={t.list}>
				<LoadedItems
					label={t.list}
					query={endpoints}
					of={(data) => data.endpoints}
					empty={<p>{mayAdd ? t.none : t.noneToSee}</p>}
				>
					{(endpoint) => <EndpointRow key={endpoint.id} endpoint={endpoint} />}
				</LoadedItems>
			</Card>
			{isAdding && (
				<Dialog title={t.add} onClose={() => setAdding(false)}>
					<EndpointForm onDone={() => setAdding(false)} />
				</Dialog>
			)}
		</>
	);
}

/** The host is what tells addresses apart. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	const turn = useSwitch(site.id);
	const { last_delivery_at: last, last_failure_reason: why } = endpoint;
	const state = stateOf(endpoint);
	const facts = [
		hostOf(endpoint.url),
		t.events(endpoint.event_types.length),
		last === null ? t.never : t.last(ago(last)),
		...(state.tone === "bad" && why !== null ? [t.lastFailure(why)] : []),
	];
	return (
		<Item
			title={
				<Link
					to="/sites/$id/settings/webhooks/$endpoint"
					params={{ id: site.id, endpoint: endpoint.id }}
					className={styles.link}
				>
					{endpoint.name}
				</Link>
			}
			state={state}
			facts={facts.join(" · ")}
			actions={
				may("PATCH /webhooks/{endpoint_id}", site.role) &&
				!endpoint.is_active && (
					<Button small disabled={turn.isBusy} onClick={() => turn.run(endpoint)}>
						{t.turnOn}
					</Button>
				)
			}
		/>
	);
}
