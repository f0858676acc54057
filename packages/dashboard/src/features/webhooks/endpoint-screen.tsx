import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { count, exact, time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { PlanLock, usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { EndpointForm, eventTypes } from "./endpoint-form.tsx";
import { faultWords } from "./fault-words.ts";
import { linesOf } from "./header-lines.ts";
import {
	type Endpoint,
	type EndpointName,
	endpointQuery,
	staleRoutes,
	stateOf,
	statsQuery,
	useRemoval,
	useSwitch,
} from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** One endpoint: address, health and deliveries. */
export function EndpointScreen() {
	const site = useSite();
	const { endpoint } = useParams({ strict: false }) as { endpoint: string };
	const name: EndpointName = { site: site.id, endpoint };
	const query = useQuery(endpointQuery(name));
	const isInPlan = usePlanHas("webhooks");
	const mayTest = isInPlan && may("POST /webhooks/{endpoint_id}/test", site.role);
	return (
		<>
			<div className={styles.head}>
				<Link to="/sites/$id/settings/webhooks" params={{ id: site.id }} className={styles.back}>
					<ChevronLeft size={16} aria-hidden="true" />
					{t.all}
				</Link>
				<ScreenHead title={query.data?.name ?? t.title} />
			</div>
			<PlanLock feature="webhooks" />
			<Loaded query={query}>
				{(record) => (
					<div className={styles.column}>
						<div className={styles.columns}>
							<FactsCard endpoint={record} />
							{mayTest ? <TestCard endpoint={record} /> : <HealthCard name={name} />}
						</div>
						{mayTest && <HealthCard name={name} />}
						<DeliveriesCard name={name} isActive={record.is_active} />
					</div>
				)}
			</Loaded>
		</>
	);
}

/** How an endpoint has fared. */
function HealthCard({ name }: { readonly name: EndpointName }) {
	const [hours, setHours] = useState("24");
	const query = useQuery({ ...statsQuery(name, Number(hours)), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.health}
			actions={
				<select
					aria-label={t.window}
					className={styles.choice}
					value={hours}
					onChange={(event) => setHours(event.target.value)}
				>
					{Object.entries(t.hours).map(([value, label]) => (
						<option key={value} value={value}>
							{label}
						</option>
					))}
				</select>
			}
		>
			<Loaded query={query} isEmpty={({ stats }) => stats.total_deliveries === 0} empty={<p>{t.noDeliveries}</p>}>
				{({ stats }) => (
					<dl className={styles.figures}>
						<Figure label={t.total} value={count(stats.total_deliveries)} />
						<Figure
							label={t.rate}
							value={stats.successful + stats.failed === 0 ? "–" : exact(stats.success_rate, "rate")}
						/>
						<Figure label={t.time} value={t.ms(count(stats.avg_response_time_ms))} />
						<Figure label={t.pending} value={count(stats.pending)} />
					</dl>
				)}
			</Loaded>
		</Card>
	);
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
	<div>
		<dt>{label}</dt>
		<dd data-figure="">{value}</dd>
	</div>
);

type Outcome = Answer<"POST /webhooks/{endpoint_id}/test">;
const chosen = (values: FormData) => ({
	event_type: eventTypes.find((type) => type === textOf(values, "event_type")) ?? "alert.triggered",
	include_sample_context: values.has("sample"),
});

/** Sends one event that is a test, and says what came of it. */
function TestCard({ endpoint }: { readonly endpoint: Endpoint }) {
	const { id: site } = useSite();
	const [outcome, setOutcome] = useState<Outcome>();
	const send = useChange({
		run: (body: ReturnType<typeof chosen>) =>
			call("POST /webhooks/{endpoint_id}/test", {
				path: { endpoint_id: endpoint.id },
				query: { account_id: site },
				body,
			}),
		stale: staleRoutes,
	});
	const form = useForm(async (values) => {
		setOutcome(undefined);
		setOutcome(await send.mutateAsync(chosen(values)));
	});
	return (
		<Card title={t.test}>
			<Form form={form} className="stack-16" intro={<p className="muted">{t.testIntro}</p>}>
				<div className={styles.row}>
					<div className={styles.grow}>
						<Select label={t.testEvent} name="event_type" defaultValue={endpoint.event_types[0]}>
							<Options of={eventTypes} text={(type) => t.types[type]} />
						</Select>
					</div>
					<Submit look="plain">{t.send}</Submit>
				</div>
				<Check label={t.sample} name="sample" defaultChecked />
				<div role="status" className={styles.status}>
					{form.isBusy && t.sending}
					{outcome && <Words outcome={outcome} endpoint={endpoint.id} />}
				</div>
			</Form>
		</Card>
	);
}

function Words({ outcome, endpoint }: { readonly outcome: Outcome; readonly endpoint: string }) {
	const { id: site } = useSite();
	const { response_status: status, response_time_ms: ms } = outcome;
	return (
		<div className={classes(styles.outcome, outcome.success ? styles.good : styles.bad)}>
			<p>
				{outcome.success
					? `${t.passed(status ?? 200, count(ms ?? 0))} ${outcome.verified ? t.verified : ""}`
					: faultWords({ error_type: outcome.error_type ?? "http_status", status })}
			</p>
			{!outcome.success && status === null && <p>{outcome.error_message}</p>}
			<Link
				to="/sites/$id/settings/webhooks/$endpoint/deliveries/$delivery"
				params={{ id: site, endpoint, delivery: outcome.delivery_id }}
				className={styles.link}
			>
				{t.record}
			</Link>
		</div>
	);
}

/** Address, events and secret of an endpoint. */
function FactsCard({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	return (
		<Card title={t.facts} actions={<State {...stateOf(endpoint)} />}>
			<div className="stack-16">
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
		<div className="row">
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

/** The prefix of the secret and the button that renews it. */
function SecretFact({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	const [step, setStep] = useState<"asked" | { readonly secret: string }>();
	const isInPlan = usePlanHas("webhooks");
	const rotate = useChange({
		run: () =>
			call("POST /webhooks/{endpoint_id}/rotate-secret", {
				path: { endpoint_id: endpoint.id },
				query: { account_id: site.id },
			}),
		stale: staleRoutes,
	});
	const close = () => setStep(undefined);
	return (
		<div className={classes(styles.row, styles.middle)}>
			<div className={styles.grow}>
				<p>{t.version(endpoint.secret_last_4, endpoint.secret_version)}</p>
				{endpoint.previous_secret_expires_at !== null && (
					<p className="muted">{t.before(time(endpoint.previous_secret_expires_at))}</p>
				)}
			</div>
			{isInPlan && may("POST /webhooks/{endpoint_id}/rotate-secret", site.role) && (
				<Button small onClick={() => setStep("asked")}>
					{t.rotate}
				</Button>
			)}
			{step === "asked" && (
				<ConfirmDialog
					title={t.rotateTitle}
					goes={t.rotateGoes}
					stays={t.rotateStays}
					action={t.rotate}
					onConfirm={async () => setStep({ secret: (await rotate.mutateAsync(undefined)).new_secret })}
					// The dialog closes after it has confirmed too, when the secret is shown.
					onClose={() => setStep((now) => (now === "asked" ? undefined : now))}
				/>
			)}
			{typeof step === "object" && (
				<Dialog title={t.rotate} onClose={close}>
					<div className="stack-16">
						<p>{t.rotated}</p>
						<Secret label={t.secret} value={step.secret} />
						<Button look="primary" onClick={close}>
							{t.done}
						</Button>
					</div>
				</Dialog>
			)}
		</div>
	);
}
