import { useState } from "react";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import type { Site } from "../site/index.ts";
import type { Cause } from "./diagnosis.ts";
import styles from "./install.module.css";
import { t } from "./texts.ts";
import { useDomains } from "./use-domains.ts";

/** Why hits are refused, with what helps. */
export function Causes({ site, causes }: { readonly site: Site; readonly causes: readonly Cause[] }) {
	const [told, setTold] = useState<string>();
	return (
		<>
			{causes.length > 0 && (
				<ul className={styles.causes}>
					{causes.map((cause) => (
						<li key={cause.reason}>
							<strong>{t.hits(cause.count)}</strong>
							{cause.reason === "invalid_domain" ? (
								<WrongDomain site={site} hosts={cause.hosts} onTold={setTold} />
							) : (
								<p>{words(cause.reason)}</p>
							)}
						</li>
					))}
				</ul>
			)}
			<p role="status" className={styles.told}>
				{told}
			</p>
		</>
	);
}

const words = (reason: string): string =>
	(t.reasons as Readonly<Record<string, string>>)[reason] ?? t.otherReason(reason);

interface WrongDomainProps {
	readonly site: Site;
	readonly hosts: readonly string[];
	readonly onTold: (words: string) => void;
}

function WrongDomain({ site, hosts, onTold }: WrongDomainProps) {
	const { add } = useDomains(site.id);
	const mayAllow = may("POST /sites/{id}/domains", site.role);
	if (hosts.length === 0) return <p>{t.someDomain}</p>;
	const allow = (host: string) =>
		add.mutate(host, {
			onSuccess: () => onTold(t.allowed(host)),
			onError: (error) => onTold(failureText(asFailure(error))),
		});
	return hosts.map((host) => (
		<div key={host} className={styles.cause}>
			<p>{t.domain(host)}</p>
			{mayAllow ? (
				<Button small look="primary" disabled={add.isPending} onClick={() => allow(host)}>
					{t.allow(host)}
				</Button>
			) : (
				<p>{t.askAdmin}</p>
			)}
		</div>
	));
}
