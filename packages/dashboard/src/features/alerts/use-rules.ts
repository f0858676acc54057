import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { useSite } from "../site/index.ts";
import type { Rule } from "./alert-words.ts";
import type { RuleBody } from "./rule-body.ts";

const t = texts({
	en: {
		added: (name: string) => `“${name}” created.`,
		changed: (name: string) => `“${name}” updated.`,
		on: (name: string) => `“${name}” enabled.`,
		off: (name: string) => `“${name}” disabled. Open alerts were closed.`,
		removed: (name: string) => `“${name}” deleted.`,
	},
	es: {
		added: (name: string) => `«${name}» creada.`,
		changed: (name: string) => `«${name}» actualizada.`,
		on: (name: string) => `«${name}» activada.`,
		off: (name: string) => `«${name}» desactivada. Las alertas abiertas se han cerrado.`,
		removed: (name: string) => `«${name}» eliminada.`,
	},
});

const stale = ["GET /alerts/rules", "GET /alerts/stats", "GET /alerts/history"];
// Of a rule that is gone nothing can be measured.
const staleWithValue = [...stale, "POST /alerts/rules/{id}/test"];

/** The editable fields of a rule. */
function bodyOf(rule: Rule): RuleBody {
	const { name, description, alert_type, metric, condition_type, threshold_value, threshold_direction } = rule;
	const { baseline_period, comparison_window, custom_condition, cooldown_minutes } = rule;
	const { notify_email, notify_slack, notify_webhook, email_recipients } = rule;
	const { slack_webhook_url, custom_webhook_url } = rule;
	return {
		...{ name, description, alert_type, metric, condition_type, threshold_value, threshold_direction },
		...{ baseline_period, comparison_window, custom_condition, cooldown_minutes },
		...{ notify_email, notify_slack, notify_webhook, email_recipients, slack_webhook_url, custom_webhook_url },
	};
}

/** Adds, changes and removes rules of the site, goals among them. */
export function useRules() {
	const query = { account_id: useSite().id };
	const post = (body: RuleBody) => call("POST /alerts/rules", { query, body });
	const patch = (id: number, body: Partial<RuleBody> & { readonly is_active?: boolean }) =>
		call("PATCH /alerts/rules/{id}", { path: { id }, query, body });
	const remove = ({ id }: Rule) => call("DELETE /alerts/rules/{id}", { path: { id }, query });
	const bringBack = async (rule: Rule) => {
		const { id } = await post(bodyOf(rule));
		if (!rule.is_active) await patch(id, { is_active: false });
	};
	return {
		add: useChange({
			run: post,
			stale,
			done: ({ name }) => t.added(name),
			undo: (rule) => remove(rule),
		}),
		change: useChange({
			run: ({ before, body }: { readonly before: Rule; readonly body: RuleBody }) => patch(before.id, body),
			stale: staleWithValue,
			done: ({ name }) => t.changed(name),
			undo: (_, { before }) => patch(before.id, bodyOf(before)),
		}),
		turn: useChange({
			run: ({ id, is_active }: Rule) => patch(id, { is_active: !is_active }),
			stale,
			done: ({ name, is_active }) => (is_active ? t.on : t.off)(name),
			undo: (_, { id, is_active }) => patch(id, { is_active }),
		}),
		remove: useChange({
			run: remove,
			stale,
			done: (_, { name }) => t.removed(name),
			undo: (_, rule) => bringBack(rule),
		}),
		/** For rules of which not everything could be brought back. */
		removeForGood: useChange({ run: remove, stale, done: (_, { name }) => t.removed(name) }),
	};
}
