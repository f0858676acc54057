import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import type { Site } from "../site/index.ts";
import type { Cause } from "./diagnosis.ts";
import styles from "./install.module.css";
import { t } from "./texts.ts";
import { useDomains } from "./use-domains.ts";

/** Why hits are refused, with what helps. */
export function Causes({ site, causes }: { readonly site: Site; readonly causes: readonly Cause[] }) {
	const { add } = useDomains(site.id);
	const { variables: host = "" } = add;
	return (
		<>
			{causes.length > 0 && (
				<ul className={styles.causes}>
					{causes.map((cause) => (
						<li key={cause.reason}>
							<strong>{(cause.isCounted ? t.counted : t.hits)(cause.count)}</strong>
							{cause.reason === "invalid_domain" ? (
								<WrongDomain site={site} hosts={cause.hosts} add={add} />
							) : (
								<p>{words(cause.reason)}</p>
							)}
						</li>
					))}
				</ul>
			)}
			<p role="status" className={styles.allowed}>
				{add.isSuccess && t.allowed(host)}
			</p>
			<Problem failure={add.error === null ? undefined : asFailure(add.error)} />
		</>
	);
}

const words = (reason: string): string =>
	(t.reasons as Readonly<Record<string, string>>)[reason] ?? t.otherReason(reason);

interface WrongDomainProps {
	readonly site: Site;
	readonly hosts: readonly string[];
	readonly add: ReturnType<typeof useDomains>["add"];
}

function WrongDomain({ site, hosts, add }: WrongDomainProps) {
	const mayAllow = may("POST /sites/{id}/domains", site.role);
	if (hosts.length === 0) return <p>{t.someDomain}</p>;
	return hosts.map((host) => (
		<div key={host} className={styles.cause}>
			<p>{t.domain(host)}</p>
			{mayAllow ? (
				<Button small look="primary" disabled={add.isPending} onClick={() => add.mutate(host)}>
					{t.allow(host)}
				</Button>
			) : (
				<p>{t.askAdmin}</p>
			)}
		</div>
	));
}
