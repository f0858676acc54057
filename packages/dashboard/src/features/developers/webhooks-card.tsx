import { Card } from "../../ui/card/card.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import styles from "./developers.module.css";
import { t } from "./texts.ts";
import { verifySignature } from "./verify-signature.ts";

/** How webhooks call the reader's server, and how it verifies them. */
export const WebhooksCard = () => (
	<Card
		title={t.webhooks}
		actions={
			<a href="/docs#tag/webhooks" target="_blank" rel="noreferrer">
				{t.webhooksGuide}
			</a>
		}
	>
		<div className={styles.part}>
			<p className={styles.muted}>{t.webhooksText}</p>
			<Secret label={t.verify} value={verifySignature} isShownOnce={false} />
		</div>
	</Card>
);
