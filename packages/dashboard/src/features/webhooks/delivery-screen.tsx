import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Check, ChevronLeft, Circle, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { ago, clock, count, exact, time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import lineStyles from "./attempts-line.module.css";
import { tones } from "./delivery-row.tsx";
import { t } from "./delivery-texts.ts";
import exchangeStyles from "./exchange-cards.module.css";
import { faultWords } from "./fault-words.ts";
import { linesOf } from "./header-lines.ts";
import {
	type Attempt,
	type Delivery,
	type DeliveryName,
	deliveryQuery,
	endpointQuery,
	sentBody,
	type WholeDelivery,
} from "./queries.ts";
import { ReplayButton } from "./replay-button.tsx";
import { type SnippetLanguage, snippetLanguages, verifySnippet } from "./verify-snippets.ts";
import styles from "./webhooks.module.css";

/** One delivery: its attempts on a line, what was sent, what came back, and how to verify it. */
export function DeliveryScreen() {
	const site = useSite();
	const { endpoint, delivery } = useParams({ strict: false }) as { endpoint: string; delivery: string };
	const name: DeliveryName = { site: site.id, endpoint, delivery };
	const { data: target } = useQuery(endpointQuery(name));
	const query = useQuery(deliveryQuery(name));
	const isInPlan = usePlanHas("webhooks");
	const mayReplay = may("POST /webhooks/bulk/replay", site.role) && target?.is_active === true && isInPlan;
	const record = query.data?.record;
	return (
		<>
			<div className={styles.head}>
				<Link to="/sites/$id/settings/webhooks/$endpoint" params={{ id: site.id, endpoint }} className={styles.back}>
					<ChevronLeft size={16} aria-hidden="true" />
					{t.back(target?.name ?? "…")}
				</Link>
				<ScreenHead title={record?.event_type ?? t.delivery}>
					{record && mayReplay && <ReplayButton deliveries={[record]} label={t.replay} />}
				</ScreenHead>
			</div>
			<Loaded query={query}>
				{({ record: found, attempts }) => (
					<div className={styles.column}>
						<Card
							title={
								<div className={styles.named}>
									<h2>{t.line}</h2>
									<State text={t.statuses[found.status]} tone={tones[found.status]} />
								</div>
							}
							actions={<time dateTime={found.created_at}>{time(found.created_at)}</time>}
						>
							<AttemptsLine delivery={found} attempts={attempts} />
						</Card>
						<div className={styles.columns}>
							<RequestCard delivery={found} attempts={attempts} headers={target?.headers ?? {}} />
							<AnswerCard delivery={found} />
						</div>
						<VerifyCard delivery={found} attempts={attempts} url={target?.url ?? ""} />
					</div>
				)}
			</Loaded>
		</>
	);
}

interface VerifyCardProps {
	readonly delivery: WholeDelivery;
	readonly attempts: readonly Attempt[];
	readonly url: string;
}

/** A program that checks the signature of this delivery, to find out why a receiver refuses it. */
function VerifyCard({ delivery, attempts, url }: VerifyCardProps) {
	const panel = useId();
	const [language, setLanguage] = useState<SnippetLanguage>("node");
	const body = sentBody(delivery);
	const last = attempts.at(-1);
	if (last === undefined) return null;
	const timestamp = Math.floor(Date.parse(last.attempted_at) / 1000);
	return (
		<Card title={t.verify}>
			{body === undefined ? (
				<p className="muted">{t.noSnippet}</p>
			) : (
				<>
					<Tabs
						label={t.language}
						tabs={snippetLanguages.map((key) => ({ key, label: t.languages[key] }))}
						chosen={language}
						onChoose={setLanguage}
						panel={panel}
					/>
					<div id={panel} role="tabpanel" aria-label={t.languages[language]} className={styles.panel}>
						<p className="muted">{t.verifyHint[language]}</p>
						<Secret
							key={language}
							label={t.code}
							value={verifySnippet(language, { body, timestamp, url })}
							isShownOnce={false}
						/>
					</div>
				</>
			)}
		</Card>
	);
}

interface AttemptsLineProps {
	readonly delivery: Delivery;
	readonly attempts: readonly Attempt[];
}

/** The attempts at a delivery on a line, and the one that is still to come. */
function AttemptsLine({ delivery, attempts }: AttemptsLineProps) {
	const start = attempts[0]?.attempted_at;
	const last = attempts.at(-1);
	const isGivenUp = delivery.status === "failed" && attempts.length >= delivery.max_attempts;
	const fault = last && faultWords({ error_type: last.error_type, status: last.response_status_code });
	return (
		<>
			<ol className={lineStyles.line} aria-label={t.line}>
				{attempts.map((attempt) => (
					<Made key={attempt.id} attempt={attempt} start={start ?? attempt.attempted_at} />
				))}
				{delivery.status !== "success" && delivery.next_retry_at !== null && <Due at={delivery.next_retry_at} />}
			</ol>
			{fault && (
				<div className={lineStyles.fault}>
					<p>{fault}</p>
					{last?.response_status_code === null && last.error_message && (
						<p className={lineStyles.exact}>{last.error_message}</p>
					)}
					{isGivenUp && <p>{t.givenUp}</p>}
				</div>
			)}
		</>
	);
}

function Made({ attempt, start }: { readonly attempt: Attempt; readonly start: string }) {
	const seconds = (Date.parse(attempt.attempted_at) - Date.parse(start)) / 1000;
	const Mark = attempt.success ? Check : X;
	const status = attempt.response_status_code;
	return (
		<li className={classes(lineStyles.attempt, attempt.success ? lineStyles.good : lineStyles.bad)}>
			<span className={lineStyles.mark}>
				<Mark size={14} aria-hidden="true" />
			</span>
			<strong>{t.attempt(attempt.attempt_number)}</strong>
			<time dateTime={attempt.attempted_at} title={time(attempt.attempted_at)}>
				{seconds === 0 ? t.first : t.after(exact(seconds, "duration"))}
			</time>
			<span>{status === null ? attempt.error_type : t.answered(status, count(attempt.response_time_ms ?? 0))}</span>
		</li>
	);
}

const Due = ({ at }: { readonly at: string }) => (
	<li className={classes(lineStyles.attempt, lineStyles.due)}>
		<span className={lineStyles.mark}>
			<Circle size={12} aria-hidden="true" />
		</span>
		<strong>{t.next}</strong>
		<time dateTime={at}>{t.due(ago(at), clock(at))}</time>
	</li>
);

interface RequestCardProps {
	readonly delivery: WholeDelivery;
	readonly attempts: readonly Attempt[];
	/** Those of the endpoint, which come along with each call. */
	readonly headers: Readonly<Record<string, string>>;
}

/** The sent request. */
function RequestCard({ delivery, attempts, headers }: RequestCardProps) {
	const own = linesOf(headers);
	return (
		<Card title={t.request}>
			<dl className={exchangeStyles.parts}>
				{attempts[0] && (
					<Part name={t.sentTo}>
						{attempts[0].request_method} {attempts.at(-1)?.request_url}
					</Part>
				)}
				<Part name={t.event}>{delivery.event_id}</Part>
				{own !== "" && <Part name={t.headers}>{own}</Part>}
				<dt>
					{t.body} <span className={exchangeStyles.size}>{t.size(count(delivery.payload_size_bytes))}</span>
				</dt>
				<dd>
					<Code label={`${t.request}: ${t.body}`} text={JSON.stringify(delivery.payload, null, 2)} />
					{sentBody(delivery) === undefined && delivery.payload["data"] === undefined && (
						<p className="muted">{t.cut}</p>
					)}
				</dd>
			</dl>
		</Card>
	);
}

const keptBytes = 10_240;

/** The answer to the last attempt. */
function AnswerCard({ delivery }: { readonly delivery: WholeDelivery }) {
	const { response_status_code: status, response_time_ms: ms, response_body: body } = delivery;
	if (status === null) {
		return (
			<Card title={t.answer}>
				<p className="muted">{t.noAnswer}</p>
			</Card>
		);
	}
	const headers = linesOf(delivery.response_headers);
	return (
		<Card
			title={t.answer}
			actions={<State text={t.answered(status, count(ms ?? 0))} tone={delivery.error_type === null ? "good" : "bad"} />}
		>
			<dl className={exchangeStyles.parts}>
				{headers !== "" && <Part name={t.headers}>{headers}</Part>}
				<dt>{t.body}</dt>
				<dd>
					{body ? <Code label={`${t.answer}: ${t.body}`} text={body} /> : <p className="muted">{t.emptyAnswer}</p>}
					{body && body.length >= keptBytes && <p className="muted">{t.cutAnswer}</p>}
				</dd>
			</dl>
		</Card>
	);
}

const Part = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
	<>
		<dt>{name}</dt>
		<dd className={exchangeStyles.value}>{children}</dd>
	</>
);

/** A block of text that scrolls by itself. */
const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
	<Scroller label={label} className={exchangeStyles.code}>
		<pre>{text}</pre>
	</Scroller>
);
