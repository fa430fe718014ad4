-- The tables of docs/widget-api.md, "What to store". Times are ISO 8601 in UTC, which sort as text.

CREATE TABLE IF NOT EXISTS client (
	uuid TEXT PRIMARY KEY, -- Pluggy's clientUserId: opaque, never the document
	name TEXT NOT NULL,
	document TEXT NOT NULL UNIQUE, -- CPF or CNPJ, as it is shown
	cancelled_at TEXT, -- the last cancellation; links from before it are refused
	is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)) -- 0: the firm works for them no longer
);

CREATE TABLE IF NOT EXISTS link (
	token_hash TEXT PRIMARY KEY, -- SHA-256 of the token, which is stored nowhere
	client TEXT NOT NULL REFERENCES client (uuid),
	widget_type TEXT NOT NULL CHECK (widget_type IN ('new', 'update', 'cancel')),
	item TEXT, -- the item to renew, for an update only
	item_updated_at TEXT, -- the item's updatedAt when the last connect token was made
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	revoked_at TEXT,
	done_at TEXT,
	CHECK ((widget_type = 'update') = (item IS NOT NULL))
);

CREATE TABLE IF NOT EXISTS consent (
	id INTEGER PRIMARY KEY,
	client TEXT NOT NULL REFERENCES client (uuid),
	link TEXT NOT NULL REFERENCES link (token_hash),
	given_at TEXT NOT NULL,
	withdrawn_at TEXT,
	evidence TEXT NOT NULL, -- the Consent-… headers, as JSON; the address in them is personal data
	request_id TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS consent_of_link ON consent (link) WHERE withdrawn_at IS NULL;

CREATE TABLE IF NOT EXISTS item (
	id TEXT PRIMARY KEY,
	client TEXT REFERENCES client (uuid), -- unknown while quarantined
	bank TEXT NOT NULL, -- the connector's name
	status TEXT NOT NULL,
	execution_status TEXT NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	next_auto_sync_at TEXT,
	state TEXT NOT NULL CHECK (state IN ('active', 'leaving', 'gone', 'quarantined'))
);
CREATE INDEX IF NOT EXISTS item_of_client ON item (client);

CREATE TABLE IF NOT EXISTS account (
	id TEXT PRIMARY KEY,
	item TEXT NOT NULL REFERENCES item (id),
	agency TEXT NOT NULL,
	number TEXT NOT NULL,
	name TEXT NOT NULL,
	tax_number TEXT
);
CREATE INDEX IF NOT EXISTS account_of_item ON account (item);

CREATE TABLE IF NOT EXISTS log (
	id INTEGER PRIMARY KEY,
	link TEXT NOT NULL REFERENCES link (token_hash),
	item TEXT, -- the item that Connect reported, if the entry names one
	type TEXT NOT NULL,
	status TEXT NOT NULL,
	data TEXT NOT NULL,
	at TEXT NOT NULL,
	UNIQUE (link, item, type, data) -- an item that is sent again is stored once
);

CREATE TABLE IF NOT EXISTS hook_event (
	id TEXT PRIMARY KEY, -- Pluggy's eventId
	body TEXT NOT NULL,
	at TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS job (
	id INTEGER PRIMARY KEY,
	kind TEXT NOT NULL CHECK (kind IN ('adopt', 'sync', 'delete')),
	item TEXT NOT NULL,
	claimed_by TEXT NOT NULL DEFAULT '', -- the client whose link named the item
	asked INTEGER NOT NULL DEFAULT 1, -- how often it was asked for, also while it runs
	tries INTEGER NOT NULL DEFAULT 0, -- failures in a row
	first_at TEXT NOT NULL,
	next_at TEXT NOT NULL,
	UNIQUE (kind, item, claimed_by)
);
