/** The databases that the tests run on: SQLite, and PostgreSQL where its server is installed. */
import { execFileSync, spawnSync } from "node:child_process";
import {
	chownSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import pg from "pg";

/** Debian's folder of the versions that are installed. */
const DEBIAN = "/usr/lib/postgresql";

/** The folder of `initdb` and `pg_ctl`. */
const BIN = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
	.map((version) => join(DEBIAN, version, "bin"))
	.findLast((folder) => existsSync(join(folder, "initdb")));

/** Whether there is a PostgreSQL server to start; otherwise the reason, which node:test shows. */
export const skipPostgres =
	BIN === undefined &&
	"PostgreSQL is not installed (on Debian: apt-get install postgresql)";

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;

/** @param {string} name */
const idOf = (name) =>
	Number(execFileSync("id", [name, "postgres"], { encoding: "utf8" }));

/** Starts a cluster in a temporary folder, and returns what makes an address of an empty database. */
export function startPostgres() {
	const folder = mkdtempSync(join(tmpdir(), "postgres-"));
	const user = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
	if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
	const data = join(folder, "data");
	const run = (/** @type {string} */ command, /** @type {string[]} */ args) => {
		const options = { ...user, encoding: /** @type {const} */ ("utf8") };
		const { status, stderr, error } = spawnSync(
			join(String(BIN), command),
			args,
			{ ...options, stdio: ["ignore", "ignore", "pipe"] },
		);
		if (status !== 0) throw new Error(`${command}: ${stderr} ${error ?? ""}`);
	};
	run("initdb", ["-D", data, "-U", "test", "-A", "trust", "--no-sync"]);
	const server = `-c listen_addresses= -c fsync=off -k ${folder}`;
	run("pg_ctl", [
		"-D",
		data,
		"-o",
		server,
		"-l",
		`${folder}/log`,
		"-w",
		"start",
	]);
	after(() => {
		run("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
		rmSync(folder, { recursive: true });
	});
	let count = 0;
	return async () => {
		const url = `postgres://test@localhost/postgres?host=${folder}`;
		count += 1;
		const client = new pg.Client(url);
		await client.connect();
		await client.query(`CREATE SCHEMA test_${count}`);
		await client.end();
		return `${url}&options=-csearch_path%3Dtest_${count}`;
	};
}
