import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { count } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { useSite } from "../site/index.ts";
import { eventTypes } from "./endpoint-form.tsx";
import { faultWords } from "./fault-words.ts";
import { type Endpoint, staleRoutes } from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

type Outcome = Answer<"POST /webhooks/{endpoint_id}/test">;
const chosen = (values: FormData) => ({
	event_type: eventTypes.find((type) => type === textOf(values, "event_type")) ?? "alert.triggered",
	include_sample_context: values.has("sample"),
});

/** Sends one event that is a test, and says what came of it. */
export function TestCard({ endpoint }: { readonly endpoint: Endpoint }) {
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
			<Form form={form} className={styles.form} intro={<p className={styles.hint}>{t.testIntro}</p>}>
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
