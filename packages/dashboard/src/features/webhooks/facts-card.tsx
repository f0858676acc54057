import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { State } from "../../ui/items/items.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { stateOf } from "./endpoint-state.ts";
import { linesOf } from "./header-lines.ts";
import type { Endpoint } from "./queries.ts";
import { SecretFact } from "./secret-fact.tsx";
import { t } from "./texts.ts";
import { useRemoval, useSwitch } from "./use-endpoint.ts";
import styles from "./webhooks.module.css";

/** Address, events and secret of an endpoint. */
export function FactsCard({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	return (
		<Card title={t.facts} actions={<State {...stateOf(endpoint)} />}>
			<div className={styles.form}>
				<dl className={styles.facts}>
					<dt>{t.url}</dt>
					<dd>{endpoint.url}</dd>
					<dt>{t.which}</dt>
					<dd>{endpoint.event_types.map((type) => t.types[type] ?? type).join(", ")}</dd>
					<dt>{t.headers}</dt>
					<dd className={styles.lines}>{linesOf(endpoint.headers) || t.noHeaders}</dd>
					{endpoint.description && (
						<>
							<dt>{t.description}</dt>
							<dd>{endpoint.description}</dd>
						</>
					)}
					<dt>{t.secret}</dt>
					<dd>
						<SecretFact endpoint={endpoint} />
					</dd>
				</dl>
				{may("PATCH /webhooks/{endpoint_id}", site.role) && <Actions endpoint={endpoint} />}
			</div>
		</Card>
	);
}

function Actions({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	const navigate = useNavigate();
	const [open, setOpen] = useState<"edit" | "remove">();
	const turn = useSwitch(site.id);
	const remove = useRemoval(site.id);
	const isInPlan = usePlanHas("webhooks");
	const close = () => setOpen(undefined);
	return (
		<div className={styles.actions}>
			{isInPlan && <Button onClick={() => setOpen("edit")}>{t.edit}</Button>}
			{(isInPlan || endpoint.is_active) && (
				<Button disabled={turn.isBusy} onClick={() => turn.run(endpoint)}>
					{endpoint.is_active ? t.turnOff : t.turnOn}
				</Button>
			)}
			<Button look="danger" onClick={() => setOpen("remove")}>
				{t.remove}
			</Button>
			{open === "edit" && (
				<Dialog title={t.edit} onClose={close}>
					<EndpointForm endpoint={endpoint} onDone={close} />
				</Dialog>
			)}
			{open === "remove" && (
				<ConfirmDialog
					title={t.removeTitle(endpoint.name)}
					goes={t.removeGoes}
					stays={t.removeStays}
					action={t.remove}
					onConfirm={async () => {
						await remove.mutateAsync(endpoint);
						await navigate({ to: "/sites/$id/settings/webhooks", params: { id: site.id } });
					}}
					onClose={close}
				/>
			)}
		</div>
	);
}
