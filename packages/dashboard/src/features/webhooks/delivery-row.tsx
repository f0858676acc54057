import { Link } from "@tanstack/react-router";
import { ago, count, time } from "../../lib/format.ts";
import { Item } from "../../ui/items/items.tsx";
import { Pick } from "../../ui/pick/pick.tsx";
import { useSite } from "../site/index.ts";
import { t } from "./delivery-texts.ts";
import { faultWords } from "./fault-words.ts";
import type { Delivery, EndpointName } from "./queries.ts";
import styles from "./webhooks.module.css";

/** The colour of each state. */
export const tones = { pending: "muted", success: "good", failed: "bad", retrying: "warn" } as const;

interface DeliveryRowProps {
	readonly name: EndpointName;
	readonly delivery: Delivery;
	readonly isChosen?: boolean;
	/** Absent where nothing can be chosen. */
	readonly onChoose?: (isChosen: boolean) => void;
}

/** One delivery in the list. */
export function DeliveryRow({ name, delivery, isChosen = false, onChoose }: DeliveryRowProps) {
	const { id: site } = useSite();
	const { status, response_status_code: code, response_time_ms: ms, next_retry_at: next } = delivery;
	const at = time(delivery.created_at);
	const facts = [
		at,
		...(delivery.attempt_number > 1 || status === "retrying"
			? [t.attempts(delivery.attempt_number, delivery.max_attempts)]
			: []),
		...(code === null ? [] : [t.answered(code, count(ms ?? 0))]),
		...(status === "retrying" && next !== null ? [`${t.next} ${ago(next)}`] : []),
	];
	const fault = faultWords({ error_type: delivery.error_type, status: code });
	return (
		<Item
			title={
				<span className={styles.named}>
					{onChoose && <Pick name={t.choose(delivery.event_type, at)} checked={isChosen} onPick={onChoose} />}
					<Link
						to="/sites/$id/settings/webhooks/$endpoint/deliveries/$delivery"
						params={{ id: site, endpoint: name.endpoint, delivery: delivery.delivery_id }}
						className={styles.link}
					>
						{delivery.event_type}
					</Link>
				</span>
			}
			state={{ text: t.statuses[status], tone: tones[status] }}
			facts={facts.join(" · ")}
		>
			{fault && status !== "success" && <p className="bad">{fault}</p>}
		</Item>
	);
}
