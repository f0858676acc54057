import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { DomainEvent } from "../domain-events/index.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, findAlert, findReachedGoal } from "./history-store.ts";
import { postEvent } from "./posts.ts";
import { ruleOf } from "./rule.ts";
import { findRules } from "./store.ts";

/** Passes an event of an alert on to the address that its rule names; other events are left alone. */
export async function passOn(deps: AlertDeps, event: DomainEvent): Promise<void> {
	const alert = await alertOf(deps, event);
	if (alert === undefined || alert.site_id !== event.siteId) return;
	const [row] = await findRules(deps.metadata, [alert.rule_id]);
	if (row === undefined) return;
	const body = JSON.stringify({
		event: event.type,
		event_id: event.id,
		timestamp: timestamp(event.occurredAt),
		account_id: event.siteId,
		data: event.data,
	});
	await postEvent(deps, ruleOf(row), { alertId: alert.id, eventId: event.id, body });
}

async function alertOf({ metadata }: AlertDeps, event: DomainEvent): Promise<AlertRow | undefined> {
	switch (event.type) {
		case "alert.triggered":
		case "alert.resolved":
			return findAlert(metadata, event.data.alert_id);
		case "goal.reached":
			return findReachedGoal(metadata, event.data.goal_id);
		case "export.completed":
		case "export.failed":
			return undefined;
	}
}
