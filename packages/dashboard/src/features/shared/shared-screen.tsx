import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type RefObject, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { noteShared, onShared, type SharedReport, sharedReport } from "../../api/shared.ts";
import { classes } from "../../lib/classes.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Logo } from "../../ui/logo/logo.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { FormPage } from "../../ui/page/form-page.tsx";
import { Notice } from "../../ui/page/notice.tsx";
import { SkipLink } from "../../ui/skip-link/skip-link.tsx";
import { FilterBar, FilterButton } from "../filters/index.ts";
import { PeriodControls } from "../period/index.ts";
import { ReportScreen } from "../report/index.ts";
import { mayFilter } from "../site/index.ts";
import styles from "./shared.module.css";

/** Message to an embedding page, so that it can adjust the height of the frame. */
interface HeightMessage {
	readonly type: "footfall:height";
	/** CSS pixels. */
	readonly height: number;
}

/** The page around this one, where it is one of those that may know; all of those where the browser does not tell. */
function readersOf(origins: readonly string[]): readonly string[] {
	// Firefox does not know it.
	const ancestors = (location as { readonly ancestorOrigins?: DOMStringList }).ancestorOrigins;
	const parent = ancestors?.[0] ?? (URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined);
	return parent === undefined ? origins : [...origins, location.origin].filter((origin) => origin === parent);
}

/** Reports the height of an element to the embedding page, to its origin only, whenever it changes. */
function useTellHeight(element: RefObject<HTMLElement | null>, origins: readonly string[]): void {
	// Sizes and other pages are outside of React.
	useEffect(() => {
		if (element.current === null || parent === window || origins.length === 0) return;
		const readers = readersOf(origins);
		const observer = new ResizeObserver(([entry]) => {
			if (entry === undefined) return;
			const message: HeightMessage = { type: "footfall:height", height: Math.ceil(entry.target.clientHeight) };
			for (const origin of readers) parent.postMessage(message, origin);
		});
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element, origins]);
}

/** The words around a shared report. */
const t = texts({
	en: {
		opening: "Opening the report",
		locked: "This report is password-protected",
		lockedText: "Ask the person who shared the link for the password.",
		password: "Password",
		wrong: "Wrong password.",
		open: "Open",
		gone: "This link no longer works",
		goneText: "It was disabled, has expired or never existed. Ask the person who shared it.",
		shut: "Access from this IP address is not allowed",
		shutText: "This site can only be viewed from certain networks.",
		failed: "Couldn't open the report",
		again: "Try again",
		report: "Report",
		skip: "Skip to the figures",
		by: "Cookie-free analytics by",
		times: (zone: string) => `Time zone: ${zone}`,
	},
	es: {
		opening: "Abriendo el informe",
		locked: "Este informe está protegido con contraseña",
		lockedText: "Pide la contraseña a quien compartió el enlace.",
		password: "Contraseña",
		wrong: "Contraseña incorrecta.",
		open: "Abrir",
		gone: "Este enlace ya no funciona",
		goneText: "Se desactivó, ha caducado o nunca existió. Pregunta a quien lo compartió.",
		shut: "No se permite el acceso desde esta dirección IP",
		shutText: "Este sitio solo se puede ver desde ciertas redes.",
		failed: "No se pudo abrir el informe",
		again: "Reintentar",
		report: "Informe",
		skip: "Ir a las cifras",
		by: "Analítica sin cookies de",
		times: (zone: string) => `Zona horaria: ${zone}`,
	},
});

/** The page of a shared link: its password where it has one, then the report as far as it shows it. */
export function SharedScreen() {
	const { token } = useParams({ strict: false }) as { readonly token: string };
	const report = useSyncExternalStore(onShared, sharedReport);
	return report === undefined ? <Door token={token} /> : <SharedFrame report={report} />;
}

/** Opens a link, which asks for its password or says that it is shut. */
function Door({ token }: { readonly token: string }) {
	const queries = useQueryClient();
	const [refusal, setRefusal] = useState<Failure>();
	const enter = async (password?: string) => {
		const report = await call("POST /share/{token}/session", {
			path: { token },
			body: password === undefined ? {} : { password },
		});
		// Repeats the queries that the previous bearer was refused.
		queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== opening });
		noteShared(report);
		return null;
	};
	/** A wrong password is shown in its form; a broken link replaces the form. */
	const unlock = async (password: string) => {
		try {
			await enter(password);
		} catch (error) {
			const failure = asFailure(error);
			if (!isOfLink(failure)) throw failure;
			setRefusal(failure);
		}
	};
	const query = useQuery({
		queryKey: [opening, token],
		queryFn: () => enter(),
		enabled: known === "open",
		gcTime: 0,
		refetchOnWindowFocus: false,
	});
	if (refusal !== undefined) return <Shut failure={refusal} onAgain={() => setRefusal(undefined)} />;
	if (known === "locked") return <PasswordForm onEnter={unlock} />;
	if (known === "gone") return <Notice title={t.gone} text={t.goneText} />;
	if (query.error === null)
		return <main className={styles.opening} aria-busy="true" aria-label={t.opening} data-loading="" />;
	const failure = asFailure(query.error);
	if (failure.code === "unauthorized") return <PasswordForm onEnter={unlock} />;
	return <Shut failure={failure} onAgain={() => void query.refetch()} />;
}

/** State of the link from the page itself, so that no request has to fail first. */
const known = boot.share ?? "open";
const opening = "POST /share/{token}/session";

const isOfLink = ({ code }: Failure): boolean => code === "not_found" || code === "forbidden";

function Shut({ failure, onAgain }: { readonly failure: Failure; readonly onAgain: () => void }) {
	// An address that was cut off on its way is no link either.
	if (failure.code === "not_found" || failure.code === "validation_error")
		return <Notice title={t.gone} text={t.goneText} />;
	if (failure.code === "forbidden") return <Notice title={t.shut} text={t.shutText} />;
	return (
		<Notice title={t.failed} text={failureText(failure)}>
			<Button onClick={onAgain}>{t.again}</Button>
		</Notice>
	);
}

/** Asks for the password of a link. */
function PasswordForm({ onEnter }: { readonly onEnter: (password: string) => Promise<unknown> }) {
	const form = useForm((values) => onEnter(textOf(values, "password")));
	const isWrong = form.failure !== undefined && asFailure(form.failure).code === "invalid_credentials";
	return (
		<FormPage title={t.locked}>
			<Form
				form={form}
				className={styles.form}
				intro={<p className="muted">{t.lockedText}</p>}
				problem={isWrong ? null : undefined}
			>
				<Field
					label={t.password}
					name="password"
					type="password"
					autoComplete="current-password"
					required
					autoFocus
					error={isWrong ? t.wrong : undefined}
				/>
				<Submit>{t.open}</Submit>
			</Form>
		</FormPage>
	);
}

const isEmbedded = location.pathname.startsWith("/embed/");

/** The report of a shared link: nothing leads out of it, and nothing in it writes. */
function SharedFrame({ report }: { readonly report: SharedReport }) {
	const frame = useRef<HTMLDivElement>(null);
	useTellHeight(frame, isEmbedded ? report.embed_origins : []);
	return (
		<div ref={frame} className={classes(styles.frame, isEmbedded && styles.embedded)}>
			<SkipLink label={t.skip} />
			<Suspense fallback={<main className={styles.opening} data-loading="" />}>
				<header className={styles.top}>
					<p className={styles.name}>{report.site.name}</p>
					{mayFilter() && <FilterButton />}
					<PeriodControls />
					{mayFilter() && <FilterBar />}
				</header>
				<main id="main" tabIndex={-1} aria-label={`${t.report} · ${report.site.name}`} className={styles.main}>
					<ReportScreen />
				</main>
				<footer className={styles.foot}>
					<p>{t.times(report.site.timezone)}</p>
					<p className={styles.by}>
						{t.by} <Logo size={16} /> Footfall
					</p>
				</footer>
			</Suspense>
		</div>
	);
}
