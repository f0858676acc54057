import { Check, Circle } from "lucide-react";
import { keptRules, type PasswordRule } from "./password-policy.ts";
import styles from "./password-rules.module.css";
import { t } from "./texts.ts";

const rules: readonly PasswordRule[] = ["length", "local", "repeats"];

/** Rules for a password, and which of them the typed one meets. */
export function PasswordRules({ email, password }: { readonly email: string; readonly password: string }) {
	const kept = keptRules(password, email);
	return (
		<span className={styles.rules}>
			<span className="visually-hidden">{t.rules}</span>
			{rules.map((rule) => (
				<span key={rule} className={kept[rule] ? "good" : undefined}>
					{kept[rule] ? <Check size={14} aria-hidden="true" /> : <Circle size={14} aria-hidden="true" />}
					{t[rule]}
					<span className="visually-hidden"> ({kept[rule] ? t.kept : t.broken})</span>
				</span>
			))}
			<span>
				<Circle size={14} aria-hidden="true" />
				{t.common}
			</span>
		</span>
	);
}
