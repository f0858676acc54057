import { X } from "lucide-react";
import { useRef } from "react";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import type { Site } from "../site/index.ts";
import styles from "./install.module.css";
import { t } from "./texts.ts";
import { useDomains } from "./use-domains.ts";

/** From where hits are counted. */
export function DomainsCard({ site }: { readonly site: Site }) {
	const { add, remove } = useDomains(site.id);
	const tell = (error: unknown) => toast(failureText(asFailure(error)));
	const takeAway = (domain: string) =>
		remove.mutate(domain, {
			onSuccess: () => toast(t.removed(domain), { label: t.undo, run: () => add.mutate(domain, { onError: tell }) }),
			onError: tell,
		});
	return (
		<Card title={t.domains}>
			<p className={styles.hint}>{site.domains.length > 0 ? t.domainsHint : t.anyDomain}</p>
			<ul className={styles.domains}>
				{site.domains.map((domain) => (
					<li key={domain}>
						<span title={domain}>{domain}</span>
						{may("DELETE /sites/{id}/domains", site.role) && (
							<Button look="quiet" icon small aria-label={t.remove(domain)} onClick={() => takeAway(domain)}>
								<X size={16} aria-hidden="true" />
							</Button>
						)}
					</li>
				))}
			</ul>
			{may("POST /sites/{id}/domains", site.role) && <NewDomain site={site} />}
		</Card>
	);
}

function NewDomain({ site }: { readonly site: Site }) {
	const { add } = useDomains(site.id);
	const field = useRef<HTMLFormElement>(null);
	const form = useForm(async (values) => {
		await add.mutateAsync(textOf(values, "domain"));
		field.current?.reset();
	});
	return (
		<Form form={form} ref={field} className={styles.add}>
			<div className={styles.row}>
				<Field label={t.newDomain} name="domain" placeholder="example.org" inputMode="url" {...verbatim} required />
				<Submit look="plain">{t.add}</Submit>
			</div>
		</Form>
	);
}
