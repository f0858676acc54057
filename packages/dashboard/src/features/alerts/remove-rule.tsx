import { type ReactNode, useState } from "react";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import type { Rule } from "./alert-words.ts";
import { useRules } from "./use-rules.ts";

const t = texts({
	en: {
		title: (name: string) => `Delete “${name}”`,
		rule: "The rule and its open alerts.",
		slack: "The Slack webhook URL, which can't be recovered.",
		history: "The alert history.",
		remove: "Delete rule",
	},
	es: {
		title: (name: string) => `Eliminar «${name}»`,
		rule: "La regla y sus alertas abiertas.",
		slack: "La URL del webhook de Slack, que no se puede recuperar.",
		history: "El historial de alertas.",
		remove: "Eliminar regla",
	},
});

interface RemoveRuleProps {
	readonly rule: Rule;
	/** Label of the button. */
	readonly children: ReactNode;
	/** The button's name, where its face does not say enough. */
	readonly name?: string;
}

/** Removes a rule, which can be taken back; where a secret would be lost, it asks first. */
export function RemoveRule({ rule, children, name }: RemoveRuleProps) {
	const { remove, removeForGood } = useRules();
	const [asks, setAsks] = useState(false);
	const hasSecret = rule.slack_webhook_url !== null;
	return (
		<>
			<Button
				look={name === undefined ? "plain" : "quiet"}
				small
				icon={name !== undefined}
				aria-label={name}
				disabled={remove.isBusy}
				onClick={() => (hasSecret ? setAsks(true) : remove.run(rule))}
			>
				{children}
			</Button>
			{asks && (
				<ConfirmDialog
					title={t.title(rule.name)}
					goes={[t.rule, t.slack]}
					stays={[t.history]}
					action={t.remove}
					onConfirm={() => removeForGood.mutateAsync(rule)}
					onClose={() => setAsks(false)}
				/>
			)}
		</>
	);
}
