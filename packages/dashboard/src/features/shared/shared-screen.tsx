import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { noteShared, onShared, sharedReport } from "../../api/shared.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { Notice } from "../../ui/page/notice.tsx";
import { PasswordForm } from "./password-form.tsx";
import styles from "./shared.module.css";
import { SharedFrame } from "./shared-frame.tsx";
import { t } from "./texts.ts";

/** The page of a shared link: its password where it has one, then the report as far as it shows it. */
export function SharedScreen() {
	const { token } = useParams({ strict: false }) as { readonly token: string };
	const report = useSyncExternalStore(onShared, sharedReport);
	return report === undefined ? <Door token={token} /> : <SharedFrame report={report} />;
}

/** Opens a link, which asks for its password or says that it is shut. */
function Door({ token }: { readonly token: string }) {
	const queries = useQueryClient();
	const enter = async (password?: string) => {
		const report = await call("POST /share/{token}/session", {
			path: { token },
			body: password === undefined ? {} : { password },
		});
		// What the bearer before was refused is asked again.
		queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== opening });
		noteShared(report);
		return null;
	};
	const query = useQuery({
		queryKey: [opening, token],
		queryFn: () => enter(),
		enabled: known === "open",
		gcTime: 0,
		refetchOnWindowFocus: false,
	});
	if (known === "locked") return <PasswordForm onEnter={enter} />;
	if (known === "gone") return <Notice title={t.gone} text={t.goneText} />;
	if (query.error === null)
		return <main className={styles.opening} aria-busy="true" aria-label={t.opening} data-loading="" />;
	const failure = asFailure(query.error);
	if (failure.code === "unauthorized") return <PasswordForm onEnter={enter} />;
	return <Shut failure={failure} onAgain={() => void query.refetch()} />;
}

/** What the server said of the link when it answered the page, so that nothing has to fail first. */
const known = boot.share ?? "open";
const opening = "POST /share/{token}/session";

function Shut({ failure, onAgain }: { readonly failure: Failure; readonly onAgain: () => void }) {
	if (failure.code === "not_found" || failure.code === "validation_error")
		return <Notice title={t.gone} text={t.goneText} />;
	if (failure.code === "forbidden") return <Notice title={t.shut} text={t.shutText} />;
	return (
		<Notice title={t.failed} text={failureText(failure)}>
			<Button onClick={onAgain}>{t.again}</Button>
		</Notice>
	);
}
