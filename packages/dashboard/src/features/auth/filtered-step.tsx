import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import { type Entered, enter } from "./enter.ts";
import { t } from "./texts.ts";

/** Lists after sign-in the sites that cannot be opened from this address. */
export function FilteredStep({ entered }: { readonly entered: Entered }) {
	const { ip_filtered_accounts: sites, client_ip: address } = entered;
	const form = useForm(enter);
	return (
		<FormPage title={t.filtered}>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<p>{t.filteredText(address, sites.length)}</p>
				<ul className={styles.list}>
					{sites.map((site) => (
						<li key={site}>{site}</li>
					))}
				</ul>
				<p className={styles.text}>{t.filteredHint}</p>
				<Button type="submit" look="primary" autoFocus disabled={form.isBusy}>
					{t.go}
				</Button>
			</form>
		</FormPage>
	);
}
