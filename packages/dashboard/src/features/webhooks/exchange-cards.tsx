import type { ReactNode } from "react";
import { count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { State } from "../../ui/items/items.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { t } from "./delivery-texts.ts";
import styles from "./exchange-cards.module.css";
import { linesOf } from "./header-lines.ts";
import type { Attempt, WholeDelivery } from "./queries.ts";
import { sentBody } from "./sent-body.ts";
import shared from "./webhooks.module.css";

interface RequestCardProps {
	readonly delivery: WholeDelivery;
	readonly attempts: readonly Attempt[];
	/** Those of the endpoint, which come along with each call. */
	readonly headers: Readonly<Record<string, string>>;
}

/** The sent request. */
export function RequestCard({ delivery, attempts, headers }: RequestCardProps) {
	const own = linesOf(headers);
	return (
		<Card title={t.request}>
			<dl className={styles.parts}>
				{attempts[0] && (
					<Part name={t.sentTo}>
						{attempts[0].request_method} {attempts.at(-1)?.request_url}
					</Part>
				)}
				<Part name={t.event}>{delivery.event_id}</Part>
				{own !== "" && <Part name={t.headers}>{own}</Part>}
				<dt>
					{t.body} <span className={styles.size}>{t.size(count(delivery.payload_size_bytes))}</span>
				</dt>
				<dd>
					<Code label={`${t.request}: ${t.body}`} text={JSON.stringify(delivery.payload, null, 2)} />
					{sentBody(delivery) === undefined && delivery.payload["data"] === undefined && (
						<p className={shared.hint}>{t.cut}</p>
					)}
				</dd>
			</dl>
		</Card>
	);
}

const keptBytes = 10_240;

/** The answer to the last attempt. */
export function AnswerCard({ delivery }: { readonly delivery: WholeDelivery }) {
	const { response_status_code: status, response_time_ms: ms, response_body: body } = delivery;
	if (status === null) {
		return (
			<Card title={t.answer}>
				<p className={shared.hint}>{t.noAnswer}</p>
			</Card>
		);
	}
	const headers = linesOf(delivery.response_headers);
	return (
		<Card
			title={t.answer}
			actions={<State text={t.answered(status, count(ms ?? 0))} tone={delivery.error_type === null ? "good" : "bad"} />}
		>
			<dl className={styles.parts}>
				{headers !== "" && <Part name={t.headers}>{headers}</Part>}
				<dt>{t.body}</dt>
				<dd>
					{body ? (
						<Code label={`${t.answer}: ${t.body}`} text={body} />
					) : (
						<p className={shared.hint}>{t.emptyAnswer}</p>
					)}
					{body && body.length >= keptBytes && <p className={shared.hint}>{t.cutAnswer}</p>}
				</dd>
			</dl>
		</Card>
	);
}

const Part = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
	<>
		<dt>{name}</dt>
		<dd className={styles.value}>{children}</dd>
	</>
);

/** A block of text that scrolls by itself. */
const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
	<Scroller label={label} className={styles.code}>
		<pre>{text}</pre>
	</Scroller>
);
