import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { Pick, PickBar } from "../../ui/pick/pick.tsx";
import { usePlanHas } from "../settings/index.ts";
import { PageFoot, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { t } from "./delivery-texts.ts";
import { type Delivery, type DeliveryStatus, deliveriesQuery, type EndpointName, pageSize } from "./queries.ts";
import { ReplayButton } from "./replay-button.tsx";
import styles from "./webhooks.module.css";

const statuses = ["success", "failed", "retrying", "pending"] as const satisfies readonly DeliveryStatus[];

interface DeliveriesCardProps {
	readonly name: EndpointName;
	/** An inactive endpoint gets no deliveries, replays included. */
	readonly isActive: boolean;
}

/** Deliveries to an endpoint; failed ones can be sent again. */
export function DeliveriesCard({ name, isActive }: DeliveriesCardProps) {
	const site = useSite();
	const { view, page: shown } = useSiteSearch();
	const change = useChangeSearch();
	const status = statuses.find((one) => one === viewValue(view, "status"));
	const page = pageOf(shown);
	const query = useQuery({ ...deliveriesQuery(name, { status, page }), placeholderData: keepPreviousData });
	const isInPlan = usePlanHas("webhooks");
	const mayReplay = may("POST /webhooks/bulk/replay", site.role) && isActive && isInPlan;
	const show = (wanted: string) =>
		change({ view: withView(view, "status", wanted === "" ? [] : [wanted]), page: undefined });
	return (
		<Card
			label={t.title}
			title={t.title}
			actions={
				<select
					aria-label={t.filter}
					className={styles.choice}
					value={status ?? ""}
					onChange={(event) => show(event.target.value)}
				>
					<option value="">{t.any}</option>
					<Options of={statuses} text={(one) => t.statuses[one]} />
				</select>
			}
		>
			<Loaded
				query={query}
				isEmpty={({ deliveries }) => deliveries.length === 0}
				empty={status === undefined ? <p>{t.none}</p> : <NoneOf showAll={() => show("")} />}
			>
				{({ deliveries, total }) => (
					<>
						<Choosing key={`${status} ${page}`} name={name} deliveries={deliveries} mayReplay={mayReplay} />
						<PageFoot page={page} pageSize={pageSize} total={total} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

const NoneOf = ({ showAll }: { readonly showAll: () => void }) => (
	<>
		<p>{t.noneOf}</p>
		<Button small onClick={showAll}>
			{t.showAll}
		</Button>
	</>
);

interface ChoosingProps {
	readonly name: EndpointName;
	readonly deliveries: readonly Delivery[];
	readonly mayReplay: boolean;
}

/** A page of deliveries, of which some can be chosen. */
function Choosing({ name, deliveries, mayReplay }: ChoosingProps) {
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
	const picked = deliveries.filter(({ delivery_id: id }) => chosen.has(id));
	const toggle = (id: string, isOn: boolean) =>
		setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id)));
	return (
		<>
			{mayReplay && (
				<PickBar>
					<Pick
						checked={picked.length === deliveries.length}
						onPick={(isOn) => setChosen(new Set(isOn ? deliveries.map(({ delivery_id: id }) => id) : []))}
					>
						{t.chooseAll}
					</Pick>
					<ReplayButton
						deliveries={picked}
						label={picked.length === 0 ? t.replay : t.replaySome(picked.length)}
						onDone={() => setChosen(new Set())}
					/>
				</PickBar>
			)}
			<Items label={t.title}>
				{deliveries.map((delivery) => (
					<DeliveryRow
						key={delivery.delivery_id}
						name={name}
						delivery={delivery}
						{...(mayReplay && {
							isChosen: chosen.has(delivery.delivery_id),
							onChoose: (isOn: boolean) => toggle(delivery.delivery_id, isOn),
						})}
					/>
				))}
			</Items>
		</>
	);
}
