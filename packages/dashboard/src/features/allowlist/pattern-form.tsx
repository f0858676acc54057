import { useRef } from "react";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { type PatternInput, usePatterns } from "./use-allowlist.ts";

/** A slash tells a range from an address; an expression looks like neither. */
function inputOf(values: FormData): PatternInput {
	const pattern = textOf(values, "pattern").trim();
	const plain = pattern.includes("/") ? "cidr" : "ip";
	return {
		pattern,
		pattern_type: textOf(values, "kind") === "regex" ? "regex" : plain,
		label: textOf(values, "label").trim() || null,
	};
}

/** One more address. */
export function PatternForm() {
	const site = useSite();
	const element = useRef<HTMLFormElement>(null);
	const { add } = usePatterns(site.id);
	const form = useForm(async (values) => {
		await add.mutateAsync(inputOf(values));
		element.current?.reset();
	});
	return (
		<form ref={element} className={styles.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<div className={styles.fields}>
				<Field
					label={t.one}
					hint={t.oneHint}
					name="pattern"
					required
					maxLength={255}
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					error={form.errorOf("pattern")}
				/>
				<Field
					label={t.label}
					name="label"
					maxLength={100}
					placeholder={t.labelPlaceholder}
					autoComplete="off"
					error={form.errorOf("label")}
				/>
				<Select label={t.kind} name="kind">
					{Object.entries(t.kinds).map(([kind, label]) => (
						<option key={kind} value={kind}>
							{label}
						</option>
					))}
				</Select>
				<Button type="submit" className={styles.beside} disabled={form.isBusy}>
					{t.add}
				</Button>
			</div>
		</form>
	);
}
