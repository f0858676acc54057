import { plural, texts } from "../../lib/language.ts";

/** Message and remedy of a warning, given the number in it. */
type Words = (text: string, n: number) => readonly [message: string, fix: string];

interface Texts {
	readonly warnings: string;
	readonly name: (n: number, text: string) => string;
	readonly help: string;
	readonly install: string;
	readonly words: Readonly<Record<string, Words>>;
}

/** Words of warnings, by their code. Those of the server are English. */
export const t = texts<Texts>({
	en: {
		warnings: "Warnings",
		name: (n, text) => `${text} ${plural(n, "warning", "warnings")}`,
		help: "How to fix it",
		install: "See rejected data",
		words: {},
	},
	es: {
		warnings: "Avisos",
		name: (n, text) => `${text} ${plural(n, "aviso", "avisos")}`,
		help: "Cómo solucionarlo",
		install: "Ver datos rechazados",
		words: {
			untrusted_proxy: () => [
				"Las peticiones llegan a través de un proxy que no es de confianza",
				"Añade la dirección del proxy a TRUST_PROXY: sin ella, todos los visitantes cuentan como uno",
			],
			https_unseen: () => [
				"El servicio no ve que los navegadores usan HTTPS",
				"Configura X-Forwarded-Proto (y X-Forwarded-For) en el proxy y añade su dirección a TRUST_PROXY",
			],
			shared_addresses: () => [
				"Casi todos los eventos llegan desde una o pocas direcciones: sus visitantes cuentan como uno",
				"Configura X-Forwarded-For en el proxy o balanceador y añade todas sus direcciones a TRUST_PROXY",
			],
			no_mail_server: () => [
				"Los correos se guardan en DATA_DIR/outbox y no se envían",
				"Define SMTP_URL para enviar invitaciones, restablecimientos de contraseña y alertas",
			],
			no_backups: () => ["No hay copias de seguridad programadas", "Define BACKUP_TO con un directorio o un bucket"],
			no_backup_yet: () => [
				"Aún no hay ninguna copia de seguridad",
				"La primera se hace a la hora de BACKUP_AT, en un proceso con el rol jobs; footfall backup hace una ahora",
			],
			backup_failed: () => [
				"La última copia de seguridad falló",
				"El error está en el registro y en el correo a los superadministradores; se volverá a intentar",
			],
			backup_late: (text) => [
				`La última copia de seguridad se hizo hace ${text} horas`,
				"Ejecuta un proceso con el rol jobs y revisa su registro",
			],
			disk_nearly_full: () => [
				"El disco está casi lleno",
				"Libera espacio o mueve DATA_DIR a un disco mayor: con el disco lleno se rechazan eventos",
			],
			unreadable_amounts: (text, n) => [
				plural(n, `Hoy no se pudo leer ${text} importe`, `Hoy no se pudieron leer ${text} importes`),
				"En su lugar cuenta 0. Envía un número como 59.90.",
			],
		},
	},
});
