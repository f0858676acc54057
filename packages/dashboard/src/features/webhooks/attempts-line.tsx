import { Check, Circle, X } from "lucide-react";
import { classes } from "../../lib/classes.ts";
import { ago, clock, count, exact, time } from "../../lib/format.ts";
import styles from "./attempts-line.module.css";
import { t } from "./delivery-texts.ts";
import { faultWords } from "./fault-words.ts";
import type { Attempt, Delivery } from "./queries.ts";

interface AttemptsLineProps {
	readonly delivery: Delivery;
	readonly attempts: readonly Attempt[];
}

/** The attempts at a delivery on a line, and the one that is still to come. */
export function AttemptsLine({ delivery, attempts }: AttemptsLineProps) {
	const start = attempts[0]?.attempted_at;
	const last = attempts.at(-1);
	const isGivenUp = delivery.status === "failed" && attempts.length >= delivery.max_attempts;
	const fault = last && faultWords({ error_type: last.error_type, status: last.response_status_code });
	return (
		<>
			<ol className={styles.line} aria-label={t.line}>
				{attempts.map((attempt) => (
					<Made key={attempt.id} attempt={attempt} start={start ?? attempt.attempted_at} />
				))}
				{delivery.status !== "success" && delivery.next_retry_at !== null && <Due at={delivery.next_retry_at} />}
			</ol>
			{fault && (
				<div className={styles.fault}>
					<p>{fault}</p>
					{last?.response_status_code === null && last.error_message && (
						<p className={styles.exact}>{last.error_message}</p>
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
		<li className={classes(styles.attempt, attempt.success ? styles.good : styles.bad)}>
			<span className={styles.mark}>
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
	<li className={classes(styles.attempt, styles.due)}>
		<span className={styles.mark}>
			<Circle size={12} aria-hidden="true" />
		</span>
		<strong>{t.next}</strong>
		<time dateTime={at}>{t.due(ago(at), clock(at))}</time>
	</li>
);
