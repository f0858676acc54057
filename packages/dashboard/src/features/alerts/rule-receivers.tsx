import type { ComponentProps } from "react";
import { Area, Check, Field } from "../../ui/field/field.tsx";
import styles from "./alerts.module.css";
import { t } from "./form-texts.ts";
import type { RulePartProps } from "./rule-parts.ts";

/** Recipients of a rule's alerts. */
export function ReceiverFields({ rule, first, shape, errorOf }: RulePartProps) {
	const { mail, slack, webhook } = shape.tells;
	return (
		<fieldset className={styles.part}>
			<legend>{t.told}</legend>
			<Check label={t.mail} name="notify_email" defaultChecked={first.tells.mail} error={errorOf("notify_email")} />
			<div hidden={!mail} className={styles.below}>
				<Area
					label={t.recipients}
					hint={t.recipientsHint}
					name="email_recipients"
					rows={2}
					inputMode="email"
					autoCapitalize="none"
					spellCheck={false}
					defaultValue={rule?.email_recipients.join("\n")}
					error={errorOf("email_recipients")}
				/>
			</div>
			<Check label={t.slack} name="notify_slack" defaultChecked={first.tells.slack} error={errorOf("notify_slack")} />
			<div hidden={!slack} className={styles.below}>
				<UrlField
					label={t.slackUrl}
					hint={t.slackHint}
					name="slack_webhook_url"
					required={slack}
					defaultValue={rule?.slack_webhook_url ?? ""}
					error={errorOf("slack_webhook_url")}
				/>
			</div>
			<Check
				label={t.webhook}
				name="notify_webhook"
				defaultChecked={first.tells.webhook}
				error={errorOf("notify_webhook")}
			/>
			<div hidden={!webhook} className={styles.below}>
				<UrlField
					label={t.webhookUrl}
					hint={t.webhookHint}
					name="custom_webhook_url"
					required={webhook}
					defaultValue={rule?.custom_webhook_url ?? ""}
					error={errorOf("custom_webhook_url")}
				/>
			</div>
		</fieldset>
	);
}

const UrlField = (props: ComponentProps<typeof Field>) => (
	<Field {...props} inputMode="url" autoComplete="off" spellCheck={false} maxLength={500} />
);
