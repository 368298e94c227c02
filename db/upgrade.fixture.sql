SET check_function_bodies = false;
CREATE SCHEMA drizzle;
CREATE FUNCTION public.give_back_rate_units(p_subject uuid, p_bucket text, p_second bigint, p_units integer) RETURNS void
    LANGUAGE sql
    AS $$
  SELECT set_config('synchronous_commit', 'off', true);
  UPDATE rate_windows
    SET counts[1 + p_second % 61] = greatest(counts[1 + p_second % 61] - p_units, 0)
    WHERE subject = p_subject AND bucket = p_bucket AND last_second - p_second BETWEEN 0 AND 60;
$$;
CREATE FUNCTION public.take_rate_units(p_subject uuid, p_bucket text, p_allowed integer, p_wanted integer, OUT granted integer, OUT remaining integer, OUT taken_second bigint, OUT frees_at bigint, OUT now_ms bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  held rate_windows;
  used integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO rate_windows AS w (subject, bucket, last_second, counts)
    VALUES (p_subject, p_bucket, 0, array_fill(0, ARRAY[61]))
    ON CONFLICT (subject, bucket) DO NOTHING;
  SELECT * INTO STRICT held FROM rate_windows WHERE subject = p_subject AND bucket = p_bucket FOR NO KEY UPDATE;

  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  -- A clock set back by less than a window must not free what was taken; one set back further starts anew,
  -- or a subject would be refused for as long as the clock was wrong.
  taken_second := now_ms / 1000;
  IF held.last_second BETWEEN taken_second AND taken_second + 60 THEN
    taken_second := held.last_second;
  END IF;
  IF abs(taken_second - held.last_second) > 60 THEN
    held.counts := array_fill(0, ARRAY[61]);
  ELSE
    FOR s IN held.last_second + 1 .. taken_second LOOP
      held.counts[1 + s % 61] := 0;
    END LOOP;
  END IF;

  SELECT coalesce(sum(c), 0) INTO used FROM unnest(held.counts) AS c;
  granted := least(p_wanted, greatest(p_allowed - used, 0));
  remaining := greatest(p_allowed - used - granted, 0);
  held.counts[1 + taken_second % 61] := held.counts[1 + taken_second % 61] + granted;

  used := used + granted;
  frees_at := taken_second;
  FOR s IN taken_second - 60 .. taken_second LOOP
    IF held.counts[1 + s % 61] > 0 THEN
      frees_at := s + 61;
      used := used - held.counts[1 + s % 61];
      EXIT WHEN used < p_allowed;
    END IF;
  END LOOP;

  IF granted > 0 OR taken_second <> held.last_second THEN
    UPDATE rate_windows SET last_second = taken_second, counts = held.counts
      WHERE subject = p_subject AND bucket = p_bucket;
  END IF;
END $$;
CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);
CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;
CREATE TABLE public.accounts (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    password text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text
);
CREATE TABLE public.api_key_secret_usage (
    organization_id uuid NOT NULL,
    secret_id uuid NOT NULL,
    last_used_at timestamp with time zone NOT NULL
);
CREATE TABLE public.api_key_secrets (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    hash bytea NOT NULL,
    display_prefix text NOT NULL,
    last_four text NOT NULL,
    ends_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.api_key_usage (
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    last_used_at timestamp with time zone NOT NULL
);
CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    channel_ids uuid[],
    send_limit integer NOT NULL,
    read_limit integer NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.api_requests (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    secret_id uuid NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    code text NOT NULL,
    field text,
    client_message_id text,
    duration_ms double precision NOT NULL,
    refused_at timestamp with time zone NOT NULL,
    recipient_hash bytea,
    conversation_id uuid
);
CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_id text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    request_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    address text
);
CREATE TABLE public.channels (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    upstream text NOT NULL,
    phone_number_id text NOT NULL,
    waba_id text NOT NULL,
    display_phone_number text NOT NULL,
    access_token_encrypted text NOT NULL,
    app_secret_encrypted text NOT NULL,
    verify_token_hash text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    disabled_at timestamp with time zone,
    paused_at timestamp with time zone,
    pause_reason text,
    next_probe_at timestamp with time zone,
    unknown_window_open_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    pause_detail jsonb,
    callback_verified_at timestamp with time zone,
    last_callback_at timestamp with time zone,
    templates_asked_at timestamp with time zone,
    templates_synced_at timestamp with time zone,
    templates_failure text,
    CONSTRAINT channels_pause_check CHECK (((paused_at IS NULL) = (pause_reason IS NULL))),
    CONSTRAINT channels_upstream_check CHECK ((upstream = ANY (ARRAY['meta'::text, 'simulator'::text])))
);
CREATE TABLE public.contact_identities (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    kind text NOT NULL,
    handle text NOT NULL,
    canonical text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    refused_at timestamp with time zone
);
CREATE TABLE public.contacts (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    marketing_opted_out_at timestamp with time zone,
    erased_at timestamp with time zone,
    merged_into uuid,
    marketing_wished_at timestamp with time zone
);
CREATE TABLE public.conversations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    assignee_id uuid,
    last_inbound_at timestamp with time zone,
    blocked_until timestamp with time zone,
    pair_limit_streak integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    window_closed_at timestamp with time zone,
    CONSTRAINT conversations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))
);
CREATE TABLE public.demo_inbox (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    fault text,
    headers jsonb NOT NULL,
    body text NOT NULL,
    body_bytes integer NOT NULL,
    type text,
    message_id uuid,
    CONSTRAINT demo_inbox_fault_check CHECK ((fault = ANY (ARRAY['unsigned'::text, 'wrong_time'::text, 'wrong_signature'::text])))
);
CREATE TABLE public.installation (
    name text NOT NULL,
    value text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.intake_minutes (
    minute integer NOT NULL
);
CREATE TABLE public.invitations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    permissions text[] DEFAULT '{}'::text[] NOT NULL,
    token_hash bytea NOT NULL,
    invited_by uuid,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.latency_hours (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    channel_id uuid,
    key_id uuid,
    handed_over integer[] NOT NULL,
    delivered integer[] NOT NULL
);
CREATE TABLE public.members (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    permissions text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text])))
);
CREATE TABLE public.message_attempts (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    message_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    recipient text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    deadline timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    outcome text,
    http_status integer,
    upstream_code integer,
    upstream_id text,
    detail jsonb,
    CONSTRAINT message_attempts_outcome_check CHECK (((outcome IS NULL) OR (outcome = ANY (ARRAY['accepted'::text, 'rejected'::text, 'retry'::text, 'uncertain'::text]))))
);
CREATE TABLE public.message_events (
    organization_id uuid NOT NULL,
    message_id uuid NOT NULL,
    kind text NOT NULL,
    source_key text NOT NULL,
    sequence integer,
    previous_state text,
    inferred boolean DEFAULT false NOT NULL,
    upstream_at timestamp with time zone,
    error_code text,
    detail jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.messages (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    kind text NOT NULL,
    type text NOT NULL,
    content jsonb NOT NULL,
    key_id uuid,
    client_message_id text,
    body_fingerprint bytea,
    recipient text,
    request_id text,
    accept_seq bigint NOT NULL,
    state text,
    event_sequence integer DEFAULT 0 NOT NULL,
    error_code text,
    error_detail jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    read_at timestamp with time zone,
    failed_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    enqueued_at timestamp with time zone,
    claim_token uuid,
    claimed_until timestamp with time zone,
    hold_until timestamp with time zone,
    in_doubt_since timestamp with time zone,
    upstream_id text,
    template_id uuid,
    upload_id uuid,
    resend_of uuid,
    erased_at timestamp with time zone,
    is_queued boolean GENERATED ALWAYS AS ((state = 'queued'::text)) STORED,
    member_id uuid,
    CONSTRAINT messages_client_message_id_check CHECK (((client_message_id IS NULL) OR ((kind = 'outbound'::text) AND (body_fingerprint IS NOT NULL)))),
    CONSTRAINT messages_kind_check CHECK ((kind = ANY (ARRAY['outbound'::text, 'inbound'::text, 'note'::text]))),
    CONSTRAINT messages_state_check CHECK (((kind = 'outbound'::text) = (state IS NOT NULL)))
)
WITH (fillfactor='80');
ALTER TABLE public.messages ALTER COLUMN accept_seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.messages_accept_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.organizations (
    id uuid NOT NULL,
    name text NOT NULL,
    fingerprint_key_encrypted text NOT NULL,
    is_demo boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retention_days integer DEFAULT 90 NOT NULL,
    erased_until_seq bigint DEFAULT 0 NOT NULL,
    contacts_looked_at_until uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    upload_quota_bytes bigint DEFAULT '10737418240'::bigint NOT NULL,
    uploaded_bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT organizations_retention_days_check CHECK ((retention_days >= 2))
);
CREATE UNLOGGED TABLE public.rate_windows (
    subject uuid NOT NULL,
    bucket text NOT NULL,
    last_second bigint NOT NULL,
    counts integer[] NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.refusal_hours (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    code text NOT NULL,
    refused integer NOT NULL,
    kept integer NOT NULL
);
CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    subject text NOT NULL,
    count integer NOT NULL,
    window_ends_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sign_in_places (
    user_id uuid NOT NULL,
    place text NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.templates (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    category text,
    state text NOT NULL,
    state_reason text,
    components jsonb NOT NULL,
    variables text[] DEFAULT '{}'::text[] NOT NULL,
    upstream_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT templates_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'paused'::text, 'disabled'::text])))
);
CREATE TABLE public.two_factors (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT false NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone
);
CREATE TABLE public.unmatched_statuses (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    upstream_id text NOT NULL,
    status text NOT NULL,
    entry jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    recipient text
);
CREATE TABLE public.upload_media (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    media_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.uploads (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    storage_key text NOT NULL,
    filename text,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    erased_at timestamp with time zone
);
CREATE TABLE public.upstream_callbacks (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    body bytea NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone,
    claimed_until timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    problem text
);
CREATE TABLE public.usage_hours (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    channel_id uuid NOT NULL,
    key_id uuid,
    error_code text,
    queued integer NOT NULL,
    sent integer NOT NULL,
    delivered integer NOT NULL,
    read integer NOT NULL,
    failed integer NOT NULL,
    counted_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.usage_progress (
    organization_id uuid NOT NULL,
    counted_from timestamp with time zone,
    counted_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    recounted_soon_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    recounted_later_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    recounted_last_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    image text,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.verifications (
    id uuid NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.webhook_attempts (
    organization_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    duration_ms integer,
    finished_at timestamp with time zone,
    http_status integer,
    error_class text,
    answer text
);
CREATE TABLE public.webhook_deliveries (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    type text NOT NULL,
    state text NOT NULL,
    is_pending boolean GENERATED ALWAYS AS ((state = 'pending'::text)) STORED,
    next_attempt_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    attempts_ever integer DEFAULT 0 NOT NULL,
    claim_token uuid,
    claimed_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_attempt_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'skipped'::text, 'available'::text])))
);
CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    url text,
    description text DEFAULT ''::text NOT NULL,
    events text[] NOT NULL,
    channel_ids uuid[],
    secret_encrypted text NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    failing_since timestamp with time zone,
    last_failed_at timestamp with time zone,
    warned_at timestamp with time zone,
    backoff_until timestamp with time zone,
    backoff_set_at timestamp with time zone,
    backoff_streak integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    health_since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_endpoints_disabled_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL)))
);
CREATE TABLE public.webhook_events (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    type text NOT NULL,
    message_id uuid,
    sequence integer,
    body text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    id_in_body boolean DEFAULT false NOT NULL
);
CREATE TABLE public.webhook_former_secrets (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    secret_encrypted text NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
CREATE TABLE public.webhook_replays (
    organization_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    "only" text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    count integer NOT NULL,
    position_at timestamp with time zone,
    position_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    is_count_exact boolean DEFAULT true NOT NULL
);
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, '6f7b8d4de4a2d2f19ef14cf612c368b6c2b6ef6ce5ea829d6125029f8dcedbaf', 1795258044345);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, '08bad36bd86f9d28bfcd197328f13bd1250f242c367178b646c636c70693ac80', 1795258045233);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, 'bfa98438878ff3f00e04f771ec8a67667c3f06ed477bc0a16dcc7232021801d8', 1795261832391);
INSERT INTO drizzle.__drizzle_migrations VALUES (4, 'e43c716dc9200269b2df6d751429300730499eada8d179d85bb1372e3f3b455d', 1795264967816);
INSERT INTO drizzle.__drizzle_migrations VALUES (5, 'eda338ed141aa475957729f5213491ace8aa3e3c39650ff4b0c6d0f645c29be4', 1795273171621);
INSERT INTO drizzle.__drizzle_migrations VALUES (6, 'd33e56135a4b63ffa08943b9be2c16bf70b07b9dfc6cc6b1e317ede7868d9402', 1795273198970);
INSERT INTO drizzle.__drizzle_migrations VALUES (7, '1a39eed0f5096df06e2d16a178b8aa51eb4819eb9b7f4d8495bb46bfc2505d7b', 1795276561846);
INSERT INTO drizzle.__drizzle_migrations VALUES (8, '3011503ed328ee68c97c285fbcfb210593ec24110f4e900acf458fa6c5e8b8e6', 1795284198310);
INSERT INTO drizzle.__drizzle_migrations VALUES (9, '4d56987988553655a32a8766f6ed713e7d0acf2686311295e4315935cbc38573', 1795289596000);
INSERT INTO drizzle.__drizzle_migrations VALUES (10, '35f4956dea697f844efc80977f1965d900db8fec84a0843c1bbd8a38d265fed1', 1795298676314);
INSERT INTO drizzle.__drizzle_migrations VALUES (11, 'fc32ec1c6aae7c149b06e30e0fbd5a73998a7a1d55f90bfd266aa49acc917623', 1795306206489);
INSERT INTO drizzle.__drizzle_migrations VALUES (12, '0997b56e775b455b9340b985bc233e7e6994926ab3659b4798c10c991e4f27ef', 1795306221388);
INSERT INTO drizzle.__drizzle_migrations VALUES (13, '18610c604574c9fea5466ed42e79137b87c136f94ae20a1aad61e83c6d2969b4', 1795306925279);
INSERT INTO drizzle.__drizzle_migrations VALUES (14, 'afb3d40c05bef9da0feb7fe0bec7e1b04f2896829c6c2e49df988f289850c583', 1795307348942);
INSERT INTO drizzle.__drizzle_migrations VALUES (15, '6a15f994d977a88e2e16d3ee6c8eb0bcabe1f5f12ff8b2097a02b2068ecd4373', 1795307939321);
INSERT INTO drizzle.__drizzle_migrations VALUES (16, '8e0bbba6a3544c063e57cd983b29acc41e820be86c1fd2700539f9ededbe8934', 1795308372414);
INSERT INTO drizzle.__drizzle_migrations VALUES (17, '4ccc7683f9bf99d214ae4432406f78727839629bf36dd187707f61d9399ae581', 1795309738028);
INSERT INTO drizzle.__drizzle_migrations VALUES (18, 'c3beb5f79d81be17addffc4a059a44130942811eb57d77780edacd57ec2e73ca', 1795310294545);
INSERT INTO drizzle.__drizzle_migrations VALUES (19, '40095d70544ac18670eaf5f77ac267856dc333d31811d1a09a0b6e617b22e025', 1795311074138);
INSERT INTO drizzle.__drizzle_migrations VALUES (20, '281dde8a8373975504d71e4d6703addc41e691d85f78e283b365850537707b9c', 1795312353407);
INSERT INTO drizzle.__drizzle_migrations VALUES (21, '730b026aca2b5c2d38cda2f81b20e701cf9e4c41eb4db50ffd38c06ad7c527a0', 1795318189251);
INSERT INTO drizzle.__drizzle_migrations VALUES (22, 'acc0e198c861269aa33e59e7d47727b13c50e12cec28abe234184dce11a9e7d9', 1795321147056);
INSERT INTO drizzle.__drizzle_migrations VALUES (23, 'c4c76504548ad65f5e1d63f34d126f1663d2881127758571568c996ec2ca43b3', 1795334568916);
INSERT INTO drizzle.__drizzle_migrations VALUES (24, 'c367f7e25976205979b83b7620336d10de4e14db44f6a45588b7e845fc18a501', 1795343070120);
INSERT INTO drizzle.__drizzle_migrations VALUES (25, 'a87ba6916fbf21a468edfb0d0638ae157ca243232ad90fb1c71f0f57147a4c9c', 1795362149333);
INSERT INTO drizzle.__drizzle_migrations VALUES (26, 'ee06ec51efc711ed4c4e2353141f699338b2fb4c2af38a6c9c0b30ec323590fa', 1795364505716);
INSERT INTO drizzle.__drizzle_migrations VALUES (27, '251fb9cb1cca4c0dfee41684f0fddcc147fc1d895c8b5c9d8ee166ef5dd56732', 1795365610554);
INSERT INTO drizzle.__drizzle_migrations VALUES (28, '12d1bfa2be789e4b9c65c3e56bf32f168b861b426e23f38327dee3bdbc216fd0', 1795373769050);
INSERT INTO drizzle.__drizzle_migrations VALUES (29, 'c6f4aed8cdde9ab6e402351952e8ec3f5932cb66d2fdf5a79c5c881a4a19c725', 1795375605883);
INSERT INTO drizzle.__drizzle_migrations VALUES (30, 'd4397f2560985034d80530383ee9c3337dcb9f409e50693b807d98028b4edd55', 1795376150735);
INSERT INTO drizzle.__drizzle_migrations VALUES (31, '1a4e7ca6eac3718488d05fbeb64beb574b801fd20e2d126171e14b21b6021882', 1795377228932);
INSERT INTO drizzle.__drizzle_migrations VALUES (32, 'a8fbdd31b2fd30f1e3657c31356aa0a64fb1451b8f6f3f736254209b76d53ab3', 1795378087356);
INSERT INTO drizzle.__drizzle_migrations VALUES (33, '5910ca0df4e36b977a104f643bedc6776b60049c89f8dc2f125a0978d1f96cee', 1795463967563);
INSERT INTO drizzle.__drizzle_migrations VALUES (34, '439f440838834bb074cedaa1fa955f37176aaf6b2245ebc289a4a245010770fd', 1795465487521);
INSERT INTO drizzle.__drizzle_migrations VALUES (35, '8068dcbe2b8d2b3118a31fe4b4f91e55fc06dbbc1cf49b63898e5ccc91770e21', 1795465519383);
INSERT INTO public.accounts VALUES ('01a2107e-101d-7aff-b9d3-1a07a2844b66', '01a2107e-101a-7e7e-b96f-643dbbee7096', '01a2107e-101a-7e7e-b96f-643dbbee7096', 'credential', '62ea0a0dd1c0190509622b42ce0c7cff:1c386707896f27a92f35d9f65bdb693abcbd2b97039034e04a9e0cf21caa0279766026d2244f248db6f81033c87d6fc83ea6082f51100ce2c9f4d7fa2a7695a7', '2026-11-25 02:17:06.84164+00', '2026-11-25 02:17:06.84164+00', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.accounts VALUES ('01a2107e-1082-7d55-9f3e-c767bd8d1843', '01a2107e-1081-776b-a104-87625e044a5f', '01a2107e-1081-776b-a104-87625e044a5f', 'credential', '64c7729eb9abbbba59e69fa232578527:39f3abb219f5703c18f9893c37d489b940ae50f1be43071b8aa7599168bd9c056fec40506058d239e822e890d24eb240f0ce7b0fa6c91f68e93dacb11e70c60a', '2026-11-25 02:17:06.944584+00', '2026-11-25 02:17:06.944584+00', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_key_secret_usage VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1092-7a57-a783-1574cb31a1ca', '2026-11-25 02:17:26.924765+00');
INSERT INTO public.api_key_secrets VALUES ('01a2107e-1092-7a57-a783-1574cb31a1ca', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1091-7441-b7e4-3c6417571c05', '\xbfc9948317d5632da84f5de4d9e24eec69b3c4fc671c277303486bf5e03fa061', 'ak_live_6yBw', 'MVnP', NULL, '2026-11-25 02:17:06.958873+00');
INSERT INTO public.api_key_usage VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1091-7441-b7e4-3c6417571c05', '2026-11-25 02:17:26.924765+00');
INSERT INTO public.api_keys VALUES ('01a2107e-1091-7441-b7e4-3c6417571c05', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Demo', '{messages:send,messages:read,contacts:read,contacts:write,templates:read,webhooks:manage}', NULL, 60, 600, NULL, NULL, NULL, '2026-11-25 02:17:06.958873+00');
INSERT INTO public.api_requests VALUES ('01a2107e-5e57-7703-ac5f-e71e6bf067e8', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1091-7441-b7e4-3c6417571c05', '01a2107e-1092-7a57-a783-1574cb31a1ca', 'POST', '/api/public/v1/messages', 422, 'outside_customer_window', NULL, 'upgrade-x', 5, '2026-11-25 02:17:26.876+00', '\xbcb1fb001b45c56c53b4f1559ccbb64d83a1091b8cca005da841024a097c9812', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-0fae-7c74-960d-3df4b882c073', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'organization.created', 'organization', '01a2107e-0fa7-7af0-bea2-c8038c893349', '{"name": "Demo dda3989c"}', NULL, '2026-11-25 02:17:06.728214+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-0fb9-7c40-9a9b-b57992bacece', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'webhook.created', 'webhook', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '{"url": "http://localhost:3000/api/demo/inbox/01a2107e-0fa7-7af0-bea2-c8038c893349", "events": ["message.sent", "message.delivered", "message.read", "message.failed", "message.received"], "enabled": true, "channelIds": null, "description": "The demo’s own inbox: see Webhook inbox"}', NULL, '2026-11-25 02:17:06.73784+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-1021-7dd0-a2c4-46cbe50bae2e', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'member.created', 'member', '01a2107e-1019-7c45-89b4-e4aa8b91eac0', '{"role": "owner", "email": "demo-dda3989c@example.com", "permissions": []}', NULL, '2026-11-25 02:17:06.84164+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-1083-78e0-93ee-af9512a1a06a', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'member.created', 'member', '01a2107e-1080-75b6-9a35-7b8742c559a0', '{"role": "agent", "email": "demo-dda3989c-agent@example.com", "permissions": []}', NULL, '2026-11-25 02:17:06.944584+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-108a-7713-9152-fd0e87164172', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'channel.connected', 'channel', '01a2107e-1084-7771-a4c8-575e8f448747', '{"name": "Support", "wabaId": "11493467204916", "upstream": "simulator", "isDefault": true, "alreadyInUse": false, "phoneNumberId": "90451832201864", "displayPhoneNumber": "+15558699173"}', NULL, '2026-11-25 02:17:06.949784+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-108d-765e-964c-b42ed3b9a32c', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'channel.connected', 'channel', '01a2107e-108b-7b34-9df3-b0e83c223839', '{"name": "Sales", "wabaId": "25525976101780", "upstream": "simulator", "isDefault": false, "alreadyInUse": false, "phoneNumberId": "99130224991709", "displayPhoneNumber": "+15551444873"}', NULL, '2026-11-25 02:17:06.955298+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-1093-7b9d-b9d7-efd6e5b85df9', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'key.created', 'key', '01a2107e-1091-7441-b7e4-3c6417571c05', '{"name": "Demo", "scopes": ["messages:send", "messages:read", "contacts:read", "contacts:write", "templates:read", "webhooks:manage"], "lastFour": "MVnP", "expiresAt": null, "readLimit": 600, "sendLimit": 60, "channelIds": null, "shownPrefix": "ak_live_6yBw"}', NULL, '2026-11-25 02:17:06.958873+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-10c4-7453-9c79-5fda953b4dc3', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'conversation.closed', 'conversation', '01a2107e-10bf-73c8-a866-e817e02a964a', '{"assigneeId": "01a2107e-1080-75b6-9a35-7b8742c559a0"}', NULL, '2026-11-25 02:17:07.011371+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-5e82-7a2a-8591-5a5536a4b0c7', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'key', '01a2107e-1091-7441-b7e4-3c6417571c05', 'webhook.created', 'webhook', '01a2107e-5e7c-7cd3-b02a-e960a304b039', '{"url": null, "events": ["message.sent", "message.failed"], "enabled": true, "channelIds": null, "description": ""}', '01a2107e-5e7a-781b-9690-8626c8a99d6e', '2026-11-25 02:17:26.909173+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-5e90-7669-8e55-d8d5c7c201ed', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'key', '01a2107e-1091-7441-b7e4-3c6417571c05', 'webhook.created', 'webhook', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '{"url": "https://example.com/h", "events": ["message.sent", "message.delivered", "message.read", "message.failed", "message.received"], "enabled": true, "channelIds": null, "description": ""}', '01a2107e-5e8a-7d1b-85d4-569701e18a53', '2026-11-25 02:17:26.925898+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-627e-7697-bd10-7df45dd3a94f', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'cli member invite', 'member.invited', 'invitation', '01a2107e-627c-70ba-a79b-21137f7201aa', '{"role": "admin", "email": "ada@example.com", "permissions": []}', NULL, '2026-11-25 02:17:27.928412+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-67d2-7a08-8ce9-a5bb80f47d18', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'member', '01a2107e-1019-7c45-89b4-e4aa8b91eac0', 'member.signed_in', 'member', '01a2107e-1019-7c45-89b4-e4aa8b91eac0', '{}', NULL, '2026-11-25 02:17:29.297559+00', '127.0.0.1');
INSERT INTO public.audit_log VALUES ('01a2107e-cf4a-7f0c-be2d-4123c8b7f35e', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'template.submitted', 'template', '01a2107e-cf43-715c-9541-2e8a06d6339e', '{"name": "order_update", "category": "utility", "language": "en_US", "channelId": "01a2107e-1084-7771-a4c8-575e8f448747"}', NULL, '2026-11-25 02:17:55.778718+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-cf65-78aa-8dba-18bc5caa7c39', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'template.submitted', 'template', '01a2107e-cf52-7081-808f-1cb15ff31226', '{"name": "order_update_pending", "category": "utility", "language": "en_US", "channelId": "01a2107e-1084-7771-a4c8-575e8f448747"}', NULL, '2026-11-25 02:17:55.794198+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-cf75-7c32-b988-585b220e9f50', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'template.submitted', 'template', '01a2107e-cf72-7b70-be98-959ce88a316d', '{"name": "order_update_rejected", "category": "utility", "language": "en_US", "channelId": "01a2107e-1084-7771-a4c8-575e8f448747"}', NULL, '2026-11-25 02:17:55.825695+00', NULL);
INSERT INTO public.audit_log VALUES ('01a2107e-cfa1-7be1-a765-806461df1e1a', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'system', 'demo', 'template.submitted', 'template', '01a2107e-cf9c-742a-95c1-280b5c6cc187', '{"name": "offer_update", "category": "utility", "language": "en_US", "channelId": "01a2107e-108b-7b34-9df3-b0e83c223839"}', NULL, '2026-11-25 02:17:55.868085+00', NULL);
INSERT INTO public.channels VALUES ('01a2107e-1084-7771-a4c8-575e8f448747', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Support', 'simulator', '90451832201864', '11493467204916', '+15558699173', 'v1.H-zdfhcU9xYOajUv2dFQN7E7piWjPQwLPbscIfWn3z5nsMUxNVdSYORGqq9jDt79Qn2kIy6k7cm64mIB2oYCDavdzvL_Q-k', 'v1.YV3npCJbUJ2tuKdGUMyd7vfZSWFkgkUdDvmlOo_leKwruwt-Yf37CQQ3be6XJFOGfE4E__J-KvfQqfTH', '000b3d3421c6ebb6720927cd43bb8ac749fe25810b67bc1a71dae80acee417f5', true, NULL, NULL, NULL, NULL, NULL, '2026-11-25 02:17:06.949784+00', NULL, '2026-11-25 02:17:55.788552+00', '2026-11-25 02:19:00.104859+00', '2026-11-25 02:17:55.895051+00', '2026-11-25 02:17:55.895051+00', NULL);
INSERT INTO public.channels VALUES ('01a2107e-108b-7b34-9df3-b0e83c223839', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Sales', 'simulator', '99130224991709', '25525976101780', '+15551444873', 'v1.ayF57x_mfdcZEYjQCxUtwQqvOzNmVMR6hw5GDgr4c3s4JkcRrbEQMH3WIJTWC58ruWUC4IRrcr1ARnuKXhx2bOSN-7reYY0', 'v1.L7Tr3v38IFZ4nsinKi4Mbs5C0g38pLvgr2NIr_PKy7436DnwKRcgZcyBkE68STnZDFPhi6E14XvHAotC', '93eb33b113b233e21cc57da3e2f634f301ff2b74d406a41fde561db15f45fcfb', false, NULL, NULL, NULL, NULL, NULL, '2026-11-25 02:17:06.955298+00', NULL, '2026-11-25 02:17:55.882382+00', '2026-11-25 02:17:55.902208+00', '2026-11-25 02:17:55.89524+00', '2026-11-25 02:17:55.89524+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-1096-7f67-a535-b4c759867b2e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1094-7991-8aa4-d58e5023792c', 'whatsapp', '5511992530780', '551192530780', '2026-11-25 02:17:06.964545+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-1096-7b0b-bef9-1efb30f7bc43', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1094-720e-9771-19386ea7309b', 'whatsapp', '551192530780', '551192530780', '2026-11-25 02:17:06.964545+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-10a4-785b-93fb-2a7914662202', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10a3-77ea-8704-6e7445459b47', 'whatsapp', '4915121693605', '4915121693605', '2026-11-25 02:17:06.976997+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-10ad-7a7d-aba0-3fba701b4106', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10a9-7f9c-9fd2-520bb559b348', 'whatsapp', '4915128768283', '4915128768283', '2026-11-25 02:17:06.982038+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-10ba-74c2-a049-89f1928567d9', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10b9-76be-b911-8858253a8045', 'whatsapp', '4915136801606', '4915136801606', '2026-11-25 02:17:06.997067+00', NULL);
INSERT INTO public.contact_identities VALUES ('01a2107e-10be-717c-af0b-93ece592130b', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10be-75bb-b8c8-9be0149400bc', 'whatsapp', '4915130215047', '4915130215047', '2026-11-25 02:17:07.005743+00', NULL);
INSERT INTO public.contacts VALUES ('01a2107e-1094-7991-8aa4-d58e5023792c', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Imported as 5511992530780', '2026-11-25 02:17:06.964545+00', NULL, NULL, NULL, NULL);
INSERT INTO public.contacts VALUES ('01a2107e-1094-720e-9771-19386ea7309b', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Imported as 551192530780', '2026-11-25 02:17:06.964545+00', NULL, NULL, NULL, NULL);
INSERT INTO public.contacts VALUES ('01a2107e-10a3-77ea-8704-6e7445459b47', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Carla', '2026-11-25 02:17:06.976997+00', NULL, NULL, NULL, NULL);
INSERT INTO public.contacts VALUES ('01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Ana', '2026-11-25 02:17:06.982038+00', NULL, NULL, NULL, NULL);
INSERT INTO public.contacts VALUES ('01a2107e-10b9-76be-b911-8858253a8045', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Ben', '2026-11-25 02:17:06.997067+00', NULL, NULL, NULL, NULL);
INSERT INTO public.contacts VALUES ('01a2107e-10be-75bb-b8c8-9be0149400bc', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'Dilek', '2026-11-25 02:17:07.005743+00', NULL, NULL, NULL, NULL);
INSERT INTO public.conversations VALUES ('01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'open', NULL, '2026-11-25 02:17:06.964+00', NULL, 0, '2026-11-25 02:17:06.982038+00', NULL);
INSERT INTO public.conversations VALUES ('01a2107e-10ba-727b-860c-429702cc644e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10b9-76be-b911-8858253a8045', '01a2107e-1084-7771-a4c8-575e8f448747', 'open', NULL, '2026-11-22 02:17:06.964+00', NULL, 0, '2026-11-25 02:17:06.997067+00', NULL);
INSERT INTO public.conversations VALUES ('01a2107e-10bf-73c8-a866-e817e02a964a', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10be-75bb-b8c8-9be0149400bc', '01a2107e-1084-7771-a4c8-575e8f448747', 'closed', '01a2107e-1080-75b6-9a35-7b8742c559a0', '2026-11-25 02:17:06.964+00', NULL, 0, '2026-11-25 02:17:07.005743+00', NULL);
INSERT INTO public.demo_inbox VALUES ('01a2107f-ca7e-74c5-b603-e770540b347e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.0979+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-ca52-7732-86ab-63164d4376e5", "content-type": "application/json", "webhook-signature": "v1,YkqekQjAZvDnNGZFlS2EF+fTMHE/TeUTz09UiXqrnM0=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-ca52-7732-86ab-63164d4376e5","type":"message.sent","timestamp":"2026-11-25T02:19:00.049Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', 590, 'message.sent', '01a2107e-5e2a-753a-9170-51346275baa7');
INSERT INTO public.demo_inbox VALUES ('01a2107f-ca89-7ac7-bc6f-b284c466caed', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.107501+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-ca51-7a10-807b-385cb3656aa2", "content-type": "application/json", "webhook-signature": "v1,Uy6MwCcgUoFdWsuUgoxHqkpwDjdEY66vELalXZ50pKw=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-ca51-7a10-807b-385cb3656aa2","type":"message.sent","timestamp":"2026-11-25T02:19:00.047Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', 590, 'message.sent', '01a2107e-5e04-7f1d-ade3-1bec533e2937');
INSERT INTO public.demo_inbox VALUES ('01a2107f-caa5-7cf4-9d25-c026be5a7766', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.134896+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-ca7f-7eff-9f22-cc67f0afdb79", "content-type": "application/json", "webhook-signature": "v1,FBt6O9FeYilpPFanKrpHkrUw5uXx0iCYhYIhDhLaBIw=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-ca7f-7eff-9f22-cc67f0afdb79","type":"message.sent","timestamp":"2026-11-25T02:19:00.083Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', 590, 'message.sent', '01a2107e-5e49-70b9-8d15-bf31c2a6840c');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cb0a-7a1b-b342-49156024c730', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.235652+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-caf1-777f-9615-56051a80291e", "content-type": "application/json", "webhook-signature": "v1,YXCs16CiM1DLh1c2B53ButFXVrSCkTLaOmFtZa9ocFo=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-caf1-777f-9615-56051a80291e","type":"message.delivered","timestamp":"2026-11-25T02:19:00.209Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":"2026-11-25T02:19:00.047Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', 620, 'message.delivered', '01a2107e-5e04-7f1d-ade3-1bec533e2937');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cb09-7339-9f20-633b54e5fa77', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.236125+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-caf1-7aa9-8583-0ef0abc2a314", "content-type": "application/json", "webhook-signature": "v1,BfcENfHtlt+rFd9P2ffj7pMgKVPfUWaDzNTwsrkv22A=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-caf1-7aa9-8583-0ef0abc2a314","type":"message.delivered","timestamp":"2026-11-25T02:19:00.209Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":"2026-11-25T02:19:00.049Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', 620, 'message.delivered', '01a2107e-5e2a-753a-9170-51346275baa7');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cb2c-77c4-8fca-f6a3bc060347', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.269312+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-cb0e-76b9-93ce-5d5dc787f75a", "content-type": "application/json", "webhook-signature": "v1,FLTT4E8ayqxQWqkv2yr5wehdqGkk9IeS/qEu4cQSe2w=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-cb0e-76b9-93ce-5d5dc787f75a","type":"message.delivered","timestamp":"2026-11-25T02:19:00.238Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":"2026-11-25T02:19:00.083Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', 620, 'message.delivered', '01a2107e-5e49-70b9-8d15-bf31c2a6840c');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cc0d-792a-a207-be91dff33974', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.493454+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-cbf6-7a56-943c-2bc24895f0aa", "content-type": "application/json", "webhook-signature": "v1,unl1CuNUrDIngkWoC9SBgWsuIIFQPCqaZwsI+PRQtLI=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-cbf6-7a56-943c-2bc24895f0aa","type":"message.read","timestamp":"2026-11-25T02:19:00.470Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":"2026-11-25T02:19:00.049Z","read_at":"2026-11-25T02:19:00.049Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', 637, 'message.read', '01a2107e-5e2a-753a-9170-51346275baa7');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cc11-7970-96a8-96afea49d376', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.497918+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-cbf6-7e34-940e-f4df6c6fb05e", "content-type": "application/json", "webhook-signature": "v1,PvI7AmFdXd37XsayZ8j+tchTboMDuWk/QOLsXAoCFQg=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-cbf6-7e34-940e-f4df6c6fb05e","type":"message.read","timestamp":"2026-11-25T02:19:00.470Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":"2026-11-25T02:19:00.047Z","read_at":"2026-11-25T02:19:00.047Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', 637, 'message.read', '01a2107e-5e04-7f1d-ade3-1bec533e2937');
INSERT INTO public.demo_inbox VALUES ('01a2107f-cc28-75ec-bdbc-7732758abbe5', '01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:19:00.521285+00', NULL, '{"user-agent": "Waypost", "webhook-id": "01a2107f-cc15-718a-a012-b51d3fecc486", "content-type": "application/json", "webhook-signature": "v1,LyQOFtJYa4TlhB9cxks7hf0dqkupaV7X+1y244L3PUw=", "webhook-timestamp": "1795573140"}', '{"id":"01a2107f-cc15-718a-a012-b51d3fecc486","type":"message.read","timestamp":"2026-11-25T02:19:00.501Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":"2026-11-25T02:19:00.083Z","read_at":"2026-11-25T02:19:00.083Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', 637, 'message.read', '01a2107e-5e49-70b9-8d15-bf31c2a6840c');
INSERT INTO public.installation VALUES ('secret_check', 'WOKJONfQOHE8lwjk-1IOxmoi-AVkyF4QOEvQkYOzJds', '2026-11-25 02:16:55.814541+00');
INSERT INTO public.installation VALUES ('sweep_ran', '', '2026-11-25 02:19:20.019009+00');
INSERT INTO public.invitations VALUES ('01a2107e-627c-70ba-a79b-21137f7201aa', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'ada@example.com', 'admin', '{}', '\xb27f8b20af4333157ccdf1c3b5f45c0186c74aea8426fccab66c7a6f43e9fc71', NULL, '2026-12-02 02:17:27.933686+00', NULL, NULL, '2026-11-25 02:17:27.928412+00');
INSERT INTO public.members VALUES ('01a2107e-1019-7c45-89b4-e4aa8b91eac0', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-101a-7e7e-b96f-643dbbee7096', 'owner', '{}', '2026-11-25 02:17:06.84164+00', NULL);
INSERT INTO public.members VALUES ('01a2107e-1080-75b6-9a35-7b8742c559a0', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1081-776b-a104-87625e044a5f', 'agent', '{}', '2026-11-25 02:17:06.944584+00', NULL);
INSERT INTO public.message_attempts VALUES ('01a2107e-5e1b-7305-9182-7dfc44408139', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:26.812633+00', '2026-11-25 02:18:16.812633+00', '2026-11-25 02:17:26.824345+00', 'retry', NULL, NULL, NULL, '{"reason": "no simulator is running"}');
INSERT INTO public.message_attempts VALUES ('01a2107e-61e5-72fe-b8ee-2a1c1618f9fa', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:27.785257+00', '2026-11-25 02:18:17.785257+00', '2026-11-25 02:17:27.791014+00', 'retry', NULL, NULL, NULL, '{"reason": "no simulator is running"}');
INSERT INTO public.message_attempts VALUES ('01a2107e-6ada-75bc-a9fb-f42d6deef8bc', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:30.074911+00', '2026-11-25 02:18:20.074911+00', '2026-11-25 02:17:30.080151+00', 'retry', NULL, NULL, NULL, '{"reason": "no simulator is running"}');
INSERT INTO public.message_attempts VALUES ('01a2107e-77ed-7b90-bd6f-f47e89191a17', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:33.42147+00', '2026-11-25 02:18:23.42147+00', '2026-11-25 02:17:33.425602+00', 'retry', NULL, NULL, NULL, '{"reason": "no simulator is running"}');
INSERT INTO public.message_attempts VALUES ('01a2107e-9a31-7ca6-9a65-9be6736bf2f3', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:42.193433+00', '2026-11-25 02:18:32.193433+00', '2026-11-25 02:17:42.201065+00', 'retry', NULL, NULL, NULL, '{"reason": "no simulator is running"}');
INSERT INTO public.message_attempts VALUES ('01a2107e-cecd-7098-a8ec-edf904d2debd', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:17:55.663341+00', '2026-11-25 02:18:45.663341+00', '2026-11-25 02:17:55.722138+00', 'retry', 401, 190, NULL, '{"reason": "Invalid OAuth access token - Cannot parse access token"}');
INSERT INTO public.message_attempts VALUES ('01a2107f-ca43-75f6-b4d3-7339b9971266', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:19:00.036888+00', '2026-11-25 02:19:50.036888+00', '2026-11-25 02:19:00.048447+00', 'accepted', 200, NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjRGQUQwNEExQUIwMUMxMzFFNgA=', '{"reason": "accepted"}');
INSERT INTO public.message_attempts VALUES ('01a2107f-ca43-7aba-b30a-81159dd2a78e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e2a-753a-9170-51346275baa7', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:19:00.036888+00', '2026-11-25 02:19:50.036888+00', '2026-11-25 02:19:00.050413+00', 'accepted', 200, NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEkZCODVGMEE2MDI3MjQ4QjVENAA=', '{"reason": "accepted"}');
INSERT INTO public.message_attempts VALUES ('01a2107f-ca60-76da-8109-e46ad702cb09', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', '01a2107e-1084-7771-a4c8-575e8f448747', '4915128768283', '2026-11-25 02:19:00.064456+00', '2026-11-25 02:19:50.064456+00', '2026-11-25 02:19:00.090581+00', 'accepted', 200, NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjZGNEU5OEEzQzI0NDQwQzE1QQA=', '{"reason": "accepted"}');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-5e1b-7305-9182-7dfc44408139', NULL, NULL, false, NULL, NULL, '{"reason": "no simulator is running", "httpStatus": null, "upstreamCode": null}', '2026-11-25 02:17:26.817757+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-61e5-72fe-b8ee-2a1c1618f9fa', NULL, NULL, false, NULL, NULL, '{"reason": "no simulator is running", "httpStatus": null, "upstreamCode": null}', '2026-11-25 02:17:27.789182+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-6ada-75bc-a9fb-f42d6deef8bc', NULL, NULL, false, NULL, NULL, '{"reason": "no simulator is running", "httpStatus": null, "upstreamCode": null}', '2026-11-25 02:17:30.078384+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-77ed-7b90-bd6f-f47e89191a17', NULL, NULL, false, NULL, NULL, '{"reason": "no simulator is running", "httpStatus": null, "upstreamCode": null}', '2026-11-25 02:17:33.42428+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-9a31-7ca6-9a65-9be6736bf2f3', NULL, NULL, false, NULL, NULL, '{"reason": "no simulator is running", "httpStatus": null, "upstreamCode": null}', '2026-11-25 02:17:42.199121+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'retry', 'attempt:01a2107e-cecd-7098-a8ec-edf904d2debd', NULL, NULL, false, NULL, NULL, '{"reason": "Invalid OAuth access token - Cannot parse access token", "httpStatus": 401, "upstreamCode": 190}', '2026-11-25 02:17:55.711953+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'sent', 'attempt:01a2107f-ca43-75f6-b4d3-7339b9971266', 1, 'queued', false, NULL, NULL, NULL, '2026-11-25 02:19:00.046353+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e2a-753a-9170-51346275baa7', 'sent', 'attempt:01a2107f-ca43-7aba-b30a-81159dd2a78e', 1, 'queued', false, NULL, NULL, NULL, '2026-11-25 02:19:00.048085+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 'sent', 'attempt:01a2107f-ca60-76da-8109-e46ad702cb09', 1, 'queued', false, NULL, NULL, NULL, '2026-11-25 02:19:00.079452+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'sent', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjRGQUQwNEExQUIwMUMxMzFFNgA=', NULL, NULL, false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.12387+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e2a-753a-9170-51346275baa7', 'sent', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEkZCODVGMEE2MDI3MjQ4QjVENAA=', NULL, NULL, false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.12387+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 'sent', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjZGNEU5OEEzQzI0NDQwQzE1QQA=', NULL, NULL, false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.12387+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'delivered', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjRGQUQwNEExQUIwMUMxMzFFNgA=', 2, 'sent', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.207588+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e2a-753a-9170-51346275baa7', 'delivered', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEkZCODVGMEE2MDI3MjQ4QjVENAA=', 2, 'sent', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.207588+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 'delivered', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjZGNEU5OEEzQzI0NDQwQzE1QQA=', 2, 'sent', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.235779+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 'read', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjRGQUQwNEExQUIwMUMxMzFFNgA=', 3, 'delivered', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.468705+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e2a-753a-9170-51346275baa7', 'read', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEkZCODVGMEE2MDI3MjQ4QjVENAA=', 3, 'delivered', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.468705+00');
INSERT INTO public.message_events VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 'read', 'callback:wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjZGNEU5OEEzQzI0NDQwQzE1QQA=', 3, 'delivered', false, '2026-11-25 02:19:00+00', NULL, NULL, '2026-11-25 02:19:00.49873+00');
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-10af-7a6f-afdc-386176c4cd0c', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'inbound', 'text', '{"text": {"body": "Hello! Is my order on its way?"}, "type": "text"}', NULL, NULL, NULL, NULL, NULL, 1, NULL, 0, NULL, NULL, '2026-11-25 02:17:06.982038+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 'wamid.demo-01a2107e-10a5-7055-82dc-040c32816807', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-10ba-7aca-91b5-3912c43eb5b6', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ba-727b-860c-429702cc644e', '01a2107e-10b9-76be-b911-8858253a8045', '01a2107e-1084-7771-a4c8-575e8f448747', 'inbound', 'text', '{"text": {"body": "Hello! Is my order on its way?"}, "type": "text"}', NULL, NULL, NULL, NULL, NULL, 2, NULL, 0, NULL, NULL, '2026-11-25 02:17:06.997067+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 'wamid.demo-01a2107e-10b4-7c8a-aeb6-6f8b52a7675b', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-10bf-7011-abaa-31a07ee8c7f0', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10bf-73c8-a866-e817e02a964a', '01a2107e-10be-75bb-b8c8-9be0149400bc', '01a2107e-1084-7771-a4c8-575e8f448747', 'inbound', 'text', '{"text": {"body": "Hello! Is my order on its way?"}, "type": "text"}', NULL, NULL, NULL, NULL, NULL, 3, NULL, 0, NULL, NULL, '2026-11-25 02:17:07.005743+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 'wamid.demo-01a2107e-10bd-7dae-aa7a-9743d992e1af', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-10dd-7804-862b-ff7ed8df9784', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'note', 'text', '{"text": {"body": "Knows the shop from a friend."}}', NULL, NULL, NULL, NULL, NULL, 4, NULL, 0, NULL, NULL, '2026-11-25 02:17:07.038149+00', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-5e04-7f1d-ade3-1bec533e2937', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'outbound', 'text', '{"to": {"kind": "whatsapp", "handle": "4915128768283"}, "text": {"body": "Hello 1"}, "type": "text"}', '01a2107e-1091-7441-b7e4-3c6417571c05', 'upgrade-1', '\xafd57c99356be4b6e849fe8480b695c9bf1736d91ce657bc9b23bb49caab762f', '4915128768283', '01a2107e-5df8-73a2-8102-fca1db21eab0', 5, 'read', 3, NULL, NULL, '2026-11-25 02:17:26.789415+00', '2026-11-25 02:19:00.047+00', '2026-11-25 02:19:00.047+00', '2026-11-25 02:19:00.047+00', NULL, NULL, 5, '2026-11-25 02:17:26.789415+00', NULL, NULL, '2026-11-25 02:18:26.821+00', NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjRGQUQwNEExQUIwMUMxMzFFNgA=', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-5e2a-753a-9170-51346275baa7', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'outbound', 'text', '{"to": {"kind": "whatsapp", "handle": "4915128768283"}, "text": {"body": "Hello 2"}, "type": "text"}', '01a2107e-1091-7441-b7e4-3c6417571c05', 'upgrade-2', '\x15289cb862e15e4889ab4147e35964515b5d964f1bc5c8d96bcae82d0322c3f8', '4915128768283', '01a2107e-5e21-7535-be95-41f0e864e3ac', 6, 'read', 3, NULL, NULL, '2026-11-25 02:17:26.827619+00', '2026-11-25 02:19:00.049+00', '2026-11-25 02:19:00.049+00', '2026-11-25 02:19:00.049+00', NULL, NULL, 0, '2026-11-25 02:17:26.827619+00', NULL, NULL, NULL, NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEkZCODVGMEE2MDI3MjQ4QjVENAA=', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('01a2107e-5e49-70b9-8d15-bf31c2a6840c', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10ad-7552-8b5f-1e05bc141036', '01a2107e-10a9-7f9c-9fd2-520bb559b348', '01a2107e-1084-7771-a4c8-575e8f448747', 'outbound', 'text', '{"to": {"kind": "whatsapp", "handle": "4915128768283"}, "text": {"body": "Hello 3"}, "type": "text"}', '01a2107e-1091-7441-b7e4-3c6417571c05', 'upgrade-3', '\x0099c08950bf953ba5547613973bf5753b732f3900ea3e8e1c2411b355e280b4', '4915128768283', '01a2107e-5e44-7063-8a02-ed272809f46f', 7, 'read', 3, NULL, NULL, '2026-11-25 02:17:26.857627+00', '2026-11-25 02:19:00.083+00', '2026-11-25 02:19:00.083+00', '2026-11-25 02:19:00.083+00', NULL, NULL, 0, '2026-11-25 02:17:26.857627+00', NULL, NULL, NULL, NULL, 'wamid.HBgNNDkxNTEyODc2ODI4MxUCABEYEjZGNEU5OEEzQzI0NDQwQzE1QQA=', NULL, NULL, NULL, NULL, DEFAULT, NULL);
INSERT INTO public.organizations VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', 'Demo dda3989c', 'v1.j-0GS9-wWfeSUbq7F8CtD4h5DXS2Mefw-h_QRxjLNz6MzmEk7lRtKb_9nP-Ydgclzu1aoO-6KrKjTosHm9sGmoiMLtanykU', true, '2026-11-25 02:17:06.728214+00', 90, 0, '00000000-0000-0000-0000-000000000000', 10737418240, 12825);
INSERT INTO public.rate_windows VALUES ('00000000-0000-0000-0000-000000000000', 'read', 1795573134, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');
INSERT INTO public.rate_windows VALUES ('01a2107e-1091-7441-b7e4-3c6417571c05', 'send', 1795573046, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');
INSERT INTO public.rate_windows VALUES ('01a2107e-1091-7441-b7e4-3c6417571c05', 'upload', 1795573046, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');
INSERT INTO public.rate_windows VALUES ('01a2107e-1091-7441-b7e4-3c6417571c05', 'read', 1795573046, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');
INSERT INTO public.refusal_hours VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '2026-11-25 02:00:00+00', '01a2107e-1091-7441-b7e4-3c6417571c05', 'outside_customer_window', 1, 1);
INSERT INTO public.sessions VALUES ('01a2107e-67c8-7fc3-96ab-832698ed3513', '01a2107e-101a-7e7e-b96f-643dbbee7096', 'DVvfIbE6xcumDtzQ6W4sy80Mwze4r9dr', '2026-12-02 02:17:29.288+00', '127.0.0.1', 'curl/7.88.1', '2026-11-25 02:17:29.288+00', '2026-11-25 02:17:29.288+00');
INSERT INTO public.sign_in_attempts VALUES ('higgthtAV1KzABZ-TuM4cMIn23vkHFPsBkWGL443ChM', 0, '2026-11-25 02:32:29.186848+00');
INSERT INTO public.sign_in_attempts VALUES ('3nCZ0NhbtkUy098t8-QIIqzx8GJHkCRnNxBQvICORCI', 0, '2026-11-25 02:32:29.193597+00');
INSERT INTO public.sign_in_attempts VALUES ('FVQtPyZ5vK4Tj7lOidUz2qhemeKe1zcGFMps7o9z3D8', 0, '2026-11-25 02:32:29.194068+00');
INSERT INTO public.sign_in_places VALUES ('01a2107e-101a-7e7e-b96f-643dbbee7096', 'W9zLM7vboniUItLspr5wJstMROTbv70c9KxQydLorkc', '2026-11-25 02:17:29.301582+00');
INSERT INTO public.sign_in_places VALUES ('01a2107e-101a-7e7e-b96f-643dbbee7096', 'tYdMBa5iZz-Gv3xSEo8qiClmDEXk5-D915eGLxOfCPA', '2026-11-25 02:17:29.301696+00');
INSERT INTO public.templates VALUES ('01a2107e-cf43-715c-9541-2e8a06d6339e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', 'order_update', 'en_US', 'utility', 'approved', NULL, '[{"text": "Hello {{1}}, your order {{2}} is on its way.", "type": "BODY", "example": {"body_text": [["Ana", "A-1024"]]}}, {"text": "The demo shop", "type": "FOOTER"}]', '{1,2}', '195802927589680', '2026-11-25 02:17:55.778718+00', '2026-11-25 02:17:55.778718+00');
INSERT INTO public.templates VALUES ('01a2107e-cf52-7081-808f-1cb15ff31226', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', 'order_update_pending', 'en_US', 'utility', 'pending', NULL, '[{"text": "Hello {{1}}, your order {{2}} is on its way.", "type": "BODY", "example": {"body_text": [["Ana", "A-1024"]]}}, {"text": "The demo shop", "type": "FOOTER"}]', '{1,2}', '251612908122518', '2026-11-25 02:17:55.794198+00', '2026-11-25 02:17:55.794198+00');
INSERT INTO public.templates VALUES ('01a2107e-cf72-7b70-be98-959ce88a316d', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', 'order_update_rejected', 'en_US', 'utility', 'rejected', 'INCORRECT_CATEGORY', '[{"text": "Hello {{1}}, your order {{2}} is on its way.", "type": "BODY", "example": {"body_text": [["Ana", "A-1024"]]}}, {"text": "The demo shop", "type": "FOOTER"}]', '{1,2}', '228861916658358', '2026-11-25 02:17:55.825695+00', '2026-11-25 02:17:55.835321+00');
INSERT INTO public.templates VALUES ('01a2107e-cf9c-742a-95c1-280b5c6cc187', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-108b-7b34-9df3-b0e83c223839', 'offer_update', 'en_US', 'utility', 'approved', NULL, '[{"text": "Hello {{1}}, your order {{2}} is on its way.", "type": "BODY", "example": {"body_text": [["Ana", "A-1024"]]}}, {"text": "The demo shop", "type": "FOOTER"}]', '{1,2}', '148383082298329', '2026-11-25 02:17:55.868085+00', '2026-11-25 02:17:55.868085+00');
INSERT INTO public.uploads VALUES ('01a2107e-10db-7f01-aa7b-801be92b4705', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'upl_0c48d77967357178ae5ad59fde5edf22', 'demo.png', 'image/png', 12755, '8df041daef5ca54fece2d2b8c060fbb8dbdd33ca8bdf47e624517314619d2469', '2026-11-25 02:17:07.036265+00', '2026-12-25 02:17:07.036265+00', NULL);
INSERT INTO public.uploads VALUES ('01a2107e-5e71-79a8-ad44-b7f4c177393c', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'upl_57c3a10ad3eb1789193ee8555831184a', 'p.png', 'image/png', 70, 'c414cd0e204de974f73753c7e28d7638e7b3691bb8b1a2bab6b25bb7fed7ce77', '2026-11-25 02:17:26.897915+00', '2026-12-25 02:17:26.897915+00', NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107e-cf69-7d1a-bb32-4140f2159cb1', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226576656e74223a22415050524f564544222c226d6573736167655f74656d706c6174655f6964223a3139353830323932373538393638302c226d6573736167655f74656d706c6174655f6e616d65223a226f726465725f757064617465222c226d6573736167655f74656d706c6174655f6c616e6775616765223a22656e5f5553222c226d6573736167655f74656d706c6174655f63617465676f7279223a225554494c495459222c22726561736f6e223a224e4f4e45227d2c226669656c64223a226d6573736167655f74656d706c6174655f7374617475735f757064617465227d5d7d5d7d', '2026-11-25 02:17:55.818171+00', '2026-11-25 02:17:55.834325+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107e-cf82-7277-a269-64dcd85cb293', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226576656e74223a2252454a4543544544222c226d6573736167655f74656d706c6174655f6964223a3232383836313931363635383335382c226d6573736167655f74656d706c6174655f6e616d65223a226f726465725f7570646174655f72656a6563746564222c226d6573736167655f74656d706c6174655f6c616e6775616765223a22656e5f5553222c226d6573736167655f74656d706c6174655f63617465676f7279223a225554494c495459222c22726561736f6e223a22494e434f52524543545f43415445474f5259227d2c226669656c64223a226d6573736167655f74656d706c6174655f7374617475735f757064617465227d5d7d5d7d', '2026-11-25 02:17:55.845376+00', '2026-11-25 02:17:55.856398+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-caea-7b16-b72a-07d1544c0688', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5247515551774e454578515549774d554d784d7a46464e67413d222c22737461747573223a2264656c697665726564222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356530342d376631642d616465332d316265633533336532393337227d2c7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456b5a434f4456474d4545324d4449334d6a5134516a56454e41413d222c22737461747573223a2264656c697665726564222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356532612d373533612d393137302d353133343632373562616137227d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.20263+00', '2026-11-25 02:19:00.218149+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107e-cfbd-784e-9b31-def0051c70c8', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-108b-7b34-9df3-b0e83c223839', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223235353235393736313031373830222c226368616e676573223a5b7b2276616c7565223a7b226576656e74223a22415050524f564544222c226d6573736167655f74656d706c6174655f6964223a3134383338333038323239383332392c226d6573736167655f74656d706c6174655f6e616d65223a226f666665725f757064617465222c226d6573736167655f74656d706c6174655f6c616e6775616765223a22656e5f5553222c226d6573736167655f74656d706c6174655f63617465676f7279223a225554494c495459222c22726561736f6e223a224e4f4e45227d2c226669656c64223a226d6573736167655f74656d706c6174655f7374617475735f757064617465227d5d7d5d7d', '2026-11-25 02:17:55.902085+00', '2026-11-25 02:17:55.909016+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-cbee-7562-9bc2-a7aafdde132c', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5247515551774e454578515549774d554d784d7a46464e67413d222c22737461747573223a2272656164222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356530342d376631642d616465332d316265633533336532393337227d2c7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456b5a434f4456474d4545324d4449334d6a5134516a56454e41413d222c22737461747573223a2272656164222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356532612d373533612d393137302d353133343632373562616137227d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.463032+00', '2026-11-25 02:19:00.47735+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-ca8a-73be-a18b-7530ecf4e37e', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5a474e4555354f45457a517a49304e445177517a45315151413d222c22737461747573223a2273656e74222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356534392d373062392d386431352d626633316332613638343063222c2270726963696e67223a7b2262696c6c61626c65223a66616c73652c2270726963696e675f6d6f64656c223a22504d50222c2274797065223a22667265655f637573746f6d65725f73657276696365222c2263617465676f7279223a2273657276696365227d7d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.108575+00', '2026-11-25 02:19:00.150244+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-cb05-75e9-9d47-9e513c8e5304', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5a474e4555354f45457a517a49304e445177517a45315151413d222c22737461747573223a2264656c697665726564222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356534392d373062392d386431352d626633316332613638343063227d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.229887+00', '2026-11-25 02:19:00.248109+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-ca87-7141-9ecb-dd5bb8c646f7', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5247515551774e454578515549774d554d784d7a46464e67413d222c22737461747573223a2273656e74222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356530342d376631642d616465332d316265633533336532393337222c2270726963696e67223a7b2262696c6c61626c65223a66616c73652c2270726963696e675f6d6f64656c223a22504d50222c2274797065223a22667265655f637573746f6d65725f73657276696365222c2263617465676f7279223a2273657276696365227d7d2c7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456b5a434f4456474d4545324d4449334d6a5134516a56454e41413d222c22737461747573223a2273656e74222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356532612d373533612d393137302d353133343632373562616137222c2270726963696e67223a7b2262696c6c61626c65223a66616c73652c2270726963696e675f6d6f64656c223a22504d50222c2274797065223a22667265655f637573746f6d65725f73657276696365222c2263617465676f7279223a2273657276696365227d7d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.104733+00', '2026-11-25 02:19:00.150244+00', NULL, 1, NULL);
INSERT INTO public.upstream_callbacks VALUES ('01a2107f-cc05-7d38-b392-0aad2b361186', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-1084-7771-a4c8-575e8f448747', '\x7b226f626a656374223a2277686174736170705f627573696e6573735f6163636f756e74222c22656e747279223a5b7b226964223a223131343933343637323034393136222c226368616e676573223a5b7b2276616c7565223a7b226d6573736167696e675f70726f64756374223a227768617473617070222c226d65746164617461223a7b22646973706c61795f70686f6e655f6e756d626572223a223135353538363939313733222c2270686f6e655f6e756d6265725f6964223a223930343531383332323031383634227d2c227374617475736573223a5b7b226964223a2277616d69642e4842674e4e446b784e5445794f4463324f4449344d78554341424559456a5a474e4555354f45457a517a49304e445177517a45315151413d222c22737461747573223a2272656164222c2274696d657374616d70223a2231373935353733313430222c22726563697069656e745f6964223a2234393135313238373638323833222c2262697a5f6f70617175655f63616c6c6261636b5f64617461223a2230316132313037652d356534392d373062392d386431352d626633316332613638343063227d5d7d2c226669656c64223a226d65737361676573227d5d7d5d7d', '2026-11-25 02:19:00.48569+00', '2026-11-25 02:19:00.507629+00', NULL, 1, NULL);
INSERT INTO public.users VALUES ('01a2107e-101a-7e7e-b96f-643dbbee7096', 'demo-dda3989c@example.com', 'Demo owner', '2026-11-25 02:17:06.84164+00', false, NULL, false, '2026-11-25 02:17:06.84164+00');
INSERT INTO public.users VALUES ('01a2107e-1081-776b-a104-87625e044a5f', 'demo-dda3989c-agent@example.com', 'Demo agent', '2026-11-25 02:17:06.944584+00', false, NULL, false, '2026-11-25 02:17:06.944584+00');
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10c1-7da9-853e-71f8a1d0e439', 1, '2026-11-25 02:17:07.245323+00', 0, '2026-11-25 02:17:07.263455+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10bd-7d31-92a7-949752514662', 1, '2026-11-25 02:17:07.245312+00', 0, '2026-11-25 02:17:07.263474+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10b3-784d-8f72-1908248d6c25', 1, '2026-11-25 02:17:07.245095+00', 0, '2026-11-25 02:17:07.263477+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10bd-7d31-92a7-949752514662', 2, '2026-11-25 02:17:11.499193+00', 0, '2026-11-25 02:17:11.510702+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10b3-784d-8f72-1908248d6c25', 2, '2026-11-25 02:17:23.223469+00', 0, '2026-11-25 02:17:23.226727+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-10c1-7da9-853e-71f8a1d0e439', 2, '2026-11-25 02:17:42.393854+00', 0, '2026-11-25 02:17:42.404437+00', NULL, 'forbidden', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca53-7d50-845f-0fc96fc5bda9', 1, '2026-11-25 02:19:00.06577+00', 7, '2026-11-25 02:19:00.100934+00', NULL, 'dns', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca53-7070-b97d-b20de65198ae', 1, '2026-11-25 02:19:00.065706+00', 4, '2026-11-25 02:19:00.100947+00', NULL, 'dns', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca53-7122-a322-3b54513855c6', 1, '2026-11-25 02:19:00.068764+00', 26, '2026-11-25 02:19:00.115037+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca53-798d-964f-20909f3cb246', 1, '2026-11-25 02:19:00.0687+00', 40, '2026-11-25 02:19:00.133688+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca82-74fe-8592-527c9731f6c5', 1, '2026-11-25 02:19:00.122441+00', 17, '2026-11-25 02:19:00.15102+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-caf2-7d0f-b40a-54ab50616d0b', 1, '2026-11-25 02:19:00.220429+00', 9, '2026-11-25 02:19:00.240685+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-caf2-7e7e-bc06-69effcd74536', 1, '2026-11-25 02:19:00.220492+00', 9, '2026-11-25 02:19:00.240697+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-cb11-751a-995a-8fd67eed8aec', 1, '2026-11-25 02:19:00.264125+00', 5, '2026-11-25 02:19:00.271339+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-cbf7-7238-a2c7-cb061d88a4e5', 1, '2026-11-25 02:19:00.484046+00', 12, '2026-11-25 02:19:00.499902+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-cbf7-7fa8-aa48-73da6d220872', 1, '2026-11-25 02:19:00.484093+00', 8, '2026-11-25 02:19:00.500111+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-cc15-73ad-b11f-2220486b7cd2', 1, '2026-11-25 02:19:00.51742+00', 5, '2026-11-25 02:19:00.525999+00', 204, NULL, NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-ca82-7265-bb3c-4d49a39663c6', 1, '2026-11-25 02:19:04.729964+00', 2, '2026-11-25 02:19:04.735672+00', NULL, 'dns', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107f-caf2-7e64-9511-c317442cae2f', 1, '2026-11-25 02:19:14.764285+00', 1, '2026-11-25 02:19:14.767732+00', NULL, 'dns', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107e-10bd-7d31-92a7-949752514662', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107e-10bc-704c-904e-01ecef814220', 'message.received', 'pending', DEFAULT, '2026-11-25 02:21:24.08531+00', 2, 2, NULL, NULL, '2026-11-25 02:17:07.005101+00', '2026-11-25 02:17:11.499193+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107e-10b3-784d-8f72-1908248d6c25', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107e-10b2-7419-b2a5-a4ea44ea767c', 'message.received', 'pending', DEFAULT, '2026-11-25 02:21:49.314885+00', 2, 2, NULL, NULL, '2026-11-25 02:17:06.99534+00', '2026-11-25 02:17:23.223469+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107e-10c1-7da9-853e-71f8a1d0e439', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107e-10c1-7f35-a338-ecec6a236a28', 'message.received', 'pending', DEFAULT, '2026-11-25 02:22:08.821658+00', 2, 2, NULL, NULL, '2026-11-25 02:17:07.009714+00', '2026-11-25 02:17:42.393854+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-7e87-b736-3f5512db36d5', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e7c-7cd3-b02a-e960a304b039', '01a2107f-ca51-7a10-807b-385cb3656aa2', 'message.sent', 'available', DEFAULT, NULL, 0, 0, NULL, NULL, '2026-11-25 02:19:00.051116+00', NULL, '2026-11-25 02:19:00.051116+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-75e8-b9f1-f1541ce21602', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e7c-7cd3-b02a-e960a304b039', '01a2107f-ca52-7732-86ab-63164d4376e5', 'message.sent', 'available', DEFAULT, NULL, 0, 0, NULL, NULL, '2026-11-25 02:19:00.051583+00', NULL, '2026-11-25 02:19:00.051583+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-7070-b97d-b20de65198ae', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-ca51-7a10-807b-385cb3656aa2', 'message.sent', 'pending', DEFAULT, '2026-11-25 02:19:05.57034+00', 1, 1, NULL, NULL, '2026-11-25 02:19:00.051116+00', '2026-11-25 02:19:00.065706+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-7d50-845f-0fc96fc5bda9', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-ca52-7732-86ab-63164d4376e5', 'message.sent', 'pending', DEFAULT, '2026-11-25 02:19:05.867532+00', 1, 1, NULL, NULL, '2026-11-25 02:19:00.051583+00', '2026-11-25 02:19:00.06577+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca82-7d5c-bfa7-7948bf7026be', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e7c-7cd3-b02a-e960a304b039', '01a2107f-ca7f-7eff-9f22-cc67f0afdb79', 'message.sent', 'available', DEFAULT, NULL, 0, 0, NULL, NULL, '2026-11-25 02:19:00.098683+00', NULL, '2026-11-25 02:19:00.098683+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-7122-a322-3b54513855c6', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-ca52-7732-86ab-63164d4376e5', 'message.sent', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.051583+00', '2026-11-25 02:19:00.068764+00', '2026-11-25 02:19:00.106248+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca53-798d-964f-20909f3cb246', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-ca51-7a10-807b-385cb3656aa2', 'message.sent', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.051116+00', '2026-11-25 02:19:00.0687+00', '2026-11-25 02:19:00.127653+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca82-74fe-8592-527c9731f6c5', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-ca7f-7eff-9f22-cc67f0afdb79', 'message.sent', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.098683+00', '2026-11-25 02:19:00.122441+00', '2026-11-25 02:19:00.149306+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-caf2-7f6e-b6c4-3f3abb1c790a', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-caf1-7aa9-8583-0ef0abc2a314', 'message.delivered', 'pending', DEFAULT, '2026-11-25 02:19:00.207588+00', 0, 0, NULL, NULL, '2026-11-25 02:19:00.210017+00', NULL, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-caf2-7d0f-b40a-54ab50616d0b', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-caf1-777f-9615-56051a80291e', 'message.delivered', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.210008+00', '2026-11-25 02:19:00.220429+00', '2026-11-25 02:19:00.23842+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-caf2-7e7e-bc06-69effcd74536', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-caf1-7aa9-8583-0ef0abc2a314', 'message.delivered', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.210017+00', '2026-11-25 02:19:00.220492+00', '2026-11-25 02:19:00.239844+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cb11-756a-9252-d347ed15ce87', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-cb0e-76b9-93ce-5d5dc787f75a', 'message.delivered', 'pending', DEFAULT, '2026-11-25 02:19:00.235779+00', 0, 0, NULL, NULL, '2026-11-25 02:19:00.241177+00', NULL, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cb11-751a-995a-8fd67eed8aec', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-cb0e-76b9-93ce-5d5dc787f75a', 'message.delivered', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.241177+00', '2026-11-25 02:19:00.264125+00', '2026-11-25 02:19:00.270801+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cbf7-7c4c-96c0-e83ddc0a076d', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-cbf6-7e34-940e-f4df6c6fb05e', 'message.read', 'pending', DEFAULT, '2026-11-25 02:19:00.468705+00', 0, 0, NULL, NULL, '2026-11-25 02:19:00.471621+00', NULL, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cbf7-759e-8226-594e29fe6751', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-cbf6-7a56-943c-2bc24895f0aa', 'message.read', 'pending', DEFAULT, '2026-11-25 02:19:00.468705+00', 0, 0, NULL, NULL, '2026-11-25 02:19:00.471629+00', NULL, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cbf7-7fa8-aa48-73da6d220872', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-cbf6-7a56-943c-2bc24895f0aa', 'message.read', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.471629+00', '2026-11-25 02:19:00.484093+00', '2026-11-25 02:19:00.499027+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cbf7-7238-a2c7-cb061d88a4e5', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-cbf6-7e34-940e-f4df6c6fb05e', 'message.read', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.471621+00', '2026-11-25 02:19:00.484046+00', '2026-11-25 02:19:00.499534+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cc15-7f36-8f2f-c20c11a4a052', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-cc15-718a-a012-b51d3fecc486', 'message.read', 'pending', DEFAULT, '2026-11-25 02:19:00.49873+00', 0, 0, NULL, NULL, '2026-11-25 02:19:00.501788+00', NULL, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-cc15-73ad-b11f-2220486b7cd2', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107f-cc15-718a-a012-b51d3fecc486', 'message.read', 'delivered', DEFAULT, NULL, 1, 1, NULL, NULL, '2026-11-25 02:19:00.501788+00', '2026-11-25 02:19:00.51742+00', '2026-11-25 02:19:00.525569+00');
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-ca82-7265-bb3c-4d49a39663c6', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-ca7f-7eff-9f22-cc67f0afdb79', 'message.sent', 'pending', DEFAULT, '2026-11-25 02:19:08.995287+00', 1, 1, NULL, NULL, '2026-11-25 02:19:00.098683+00', '2026-11-25 02:19:04.729964+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2107f-caf2-7e64-9511-c317442cae2f', '01a2107e-0fa7-7af0-bea2-c8038c893349', '01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107f-caf1-777f-9615-56051a80291e', 'message.delivered', 'pending', DEFAULT, '2026-11-25 02:19:20.657143+00', 1, 1, NULL, NULL, '2026-11-25 02:19:00.210008+00', '2026-11-25 02:19:14.764285+00', NULL);
INSERT INTO public.webhook_endpoints VALUES ('01a2107e-5e7c-7cd3-b02a-e960a304b039', '01a2107e-0fa7-7af0-bea2-c8038c893349', NULL, '', '{message.sent,message.failed}', NULL, 'v1.L3HuBP8ondxlQDYmEo0dZvnnAPIQnOPcaZ6FBNFsojVZaB3jfYpxa3jdudvfRDCJ5kyJ6x-6qsKf-cXNAte3e4DtjBJI5lnRrQq4w2vI', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-25 02:17:26.909173+00', NULL, '2026-11-25 02:17:26.909173+00');
INSERT INTO public.webhook_endpoints VALUES ('01a2107e-0fb1-75e8-a4c9-5cb50277ff3f', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'http://127.0.0.1:3200/api/demo/inbox/01a2107e-0fa7-7af0-bea2-c8038c893349', 'The demo’s own inbox: see Webhook inbox', '{message.sent,message.delivered,message.read,message.failed,message.received}', NULL, 'v1.uHIX5_XySAwjaeebs7yWz6gJMGB4hKiCmVD8fKRc3kVVFPZLE8zt0hHqbL3F5tj0tVrUSxUhqd37PwANWS_jq1KCUQY5FuN_-ajFi-0n', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-25 02:17:06.73784+00', NULL, '2026-11-25 02:17:55.669126+00');
INSERT INTO public.webhook_endpoints VALUES ('01a2107e-5e8d-7bdd-bb3f-78220c81ac44', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'https://example.com/h', '', '{message.sent,message.delivered,message.read,message.failed,message.received}', NULL, 'v1.Pw_qnyCDU27B6GxRN5kqq_YIw-6td2jcTu0nEwmi1vuVb_RDswVB2Ho2HYnPLIKCbWxve9QUF7ZZa3WwOq6Ng8ZhK118oR1Q2m8Mgcwb', NULL, NULL, '2026-11-25 02:19:00.103+00', '2026-11-25 02:19:14.767+00', NULL, '2026-11-25 02:19:35.43+00', '2026-11-25 02:19:14.767+00', 3, '2026-11-25 02:17:26.925898+00', NULL, '2026-11-25 02:17:26.925898+00');
INSERT INTO public.webhook_events VALUES ('01a2107e-10b2-7419-b2a5-a4ea44ea767c', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.received', '01a2107e-10af-7a6f-afdc-386176c4cd0c', NULL, '{"id":"01a2107e-10b2-7419-b2a5-a4ea44ea767c","type":"message.received","timestamp":"2026-11-25T02:17:06.982Z","data":{"message_id":"01a2107e-10af-7a6f-afdc-386176c4cd0c","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","from":{"kind":"whatsapp","handle":"4915128768283","user_id":null,"name":"Ana"},"content":{"type":"text","text":{"body":"Hello! Is my order on its way?"}},"written_at":"2026-11-25T02:17:06.964Z","received_at":"2026-11-25T02:17:06.982Z"}}', '2026-11-25 02:17:06.99534+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107e-10bc-704c-904e-01ecef814220', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.received', '01a2107e-10ba-7aca-91b5-3912c43eb5b6', NULL, '{"id":"01a2107e-10bc-704c-904e-01ecef814220","type":"message.received","timestamp":"2026-11-25T02:17:06.997Z","data":{"message_id":"01a2107e-10ba-7aca-91b5-3912c43eb5b6","thread_id":"01a2107e-10ba-727b-860c-429702cc644e","contact_id":"01a2107e-10b9-76be-b911-8858253a8045","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","from":{"kind":"whatsapp","handle":"4915136801606","user_id":null,"name":"Ben"},"content":{"type":"text","text":{"body":"Hello! Is my order on its way?"}},"written_at":"2026-11-22T02:17:06.964Z","received_at":"2026-11-25T02:17:06.997Z"}}', '2026-11-25 02:17:07.005101+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107e-10c1-7f35-a338-ecec6a236a28', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.received', '01a2107e-10bf-7011-abaa-31a07ee8c7f0', NULL, '{"id":"01a2107e-10c1-7f35-a338-ecec6a236a28","type":"message.received","timestamp":"2026-11-25T02:17:07.005Z","data":{"message_id":"01a2107e-10bf-7011-abaa-31a07ee8c7f0","thread_id":"01a2107e-10bf-73c8-a866-e817e02a964a","contact_id":"01a2107e-10be-75bb-b8c8-9be0149400bc","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","from":{"kind":"whatsapp","handle":"4915130215047","user_id":null,"name":"Dilek"},"content":{"type":"text","text":{"body":"Hello! Is my order on its way?"}},"written_at":"2026-11-25T02:17:06.964Z","received_at":"2026-11-25T02:17:07.005Z"}}', '2026-11-25 02:17:07.009714+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-ca51-7a10-807b-385cb3656aa2', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.sent', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 1, '{"id":"01a2107f-ca51-7a10-807b-385cb3656aa2","type":"message.sent","timestamp":"2026-11-25T02:19:00.047Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', '2026-11-25 02:19:00.051116+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-ca52-7732-86ab-63164d4376e5', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.sent', '01a2107e-5e2a-753a-9170-51346275baa7', 1, '{"id":"01a2107f-ca52-7732-86ab-63164d4376e5","type":"message.sent","timestamp":"2026-11-25T02:19:00.049Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', '2026-11-25 02:19:00.051583+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-ca7f-7eff-9f22-cc67f0afdb79', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.sent', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 1, '{"id":"01a2107f-ca7f-7eff-9f22-cc67f0afdb79","type":"message.sent","timestamp":"2026-11-25T02:19:00.083Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"sent","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":null,"read_at":null,"failed_at":null,"previous_state":"queued","sequence":1,"inferred":false}}', '2026-11-25 02:19:00.098683+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-caf1-777f-9615-56051a80291e', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.delivered', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 2, '{"id":"01a2107f-caf1-777f-9615-56051a80291e","type":"message.delivered","timestamp":"2026-11-25T02:19:00.209Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":"2026-11-25T02:19:00.047Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', '2026-11-25 02:19:00.210008+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-caf1-7aa9-8583-0ef0abc2a314', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.delivered', '01a2107e-5e2a-753a-9170-51346275baa7', 2, '{"id":"01a2107f-caf1-7aa9-8583-0ef0abc2a314","type":"message.delivered","timestamp":"2026-11-25T02:19:00.209Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":"2026-11-25T02:19:00.049Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', '2026-11-25 02:19:00.210017+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-cb0e-76b9-93ce-5d5dc787f75a', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.delivered', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 2, '{"id":"01a2107f-cb0e-76b9-93ce-5d5dc787f75a","type":"message.delivered","timestamp":"2026-11-25T02:19:00.238Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"delivered","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":"2026-11-25T02:19:00.083Z","read_at":null,"failed_at":null,"previous_state":"sent","sequence":2,"inferred":false}}', '2026-11-25 02:19:00.241177+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-cbf6-7a56-943c-2bc24895f0aa', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.read', '01a2107e-5e2a-753a-9170-51346275baa7', 3, '{"id":"01a2107f-cbf6-7a56-943c-2bc24895f0aa","type":"message.read","timestamp":"2026-11-25T02:19:00.470Z","data":{"message_id":"01a2107e-5e2a-753a-9170-51346275baa7","client_message_id":"upgrade-2","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.827Z","sent_at":"2026-11-25T02:19:00.049Z","delivered_at":"2026-11-25T02:19:00.049Z","read_at":"2026-11-25T02:19:00.049Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', '2026-11-25 02:19:00.471629+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-cbf6-7e34-940e-f4df6c6fb05e', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.read', '01a2107e-5e04-7f1d-ade3-1bec533e2937', 3, '{"id":"01a2107f-cbf6-7e34-940e-f4df6c6fb05e","type":"message.read","timestamp":"2026-11-25T02:19:00.470Z","data":{"message_id":"01a2107e-5e04-7f1d-ade3-1bec533e2937","client_message_id":"upgrade-1","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.789Z","sent_at":"2026-11-25T02:19:00.047Z","delivered_at":"2026-11-25T02:19:00.047Z","read_at":"2026-11-25T02:19:00.047Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', '2026-11-25 02:19:00.471621+00', true);
INSERT INTO public.webhook_events VALUES ('01a2107f-cc15-718a-a012-b51d3fecc486', '01a2107e-0fa7-7af0-bea2-c8038c893349', 'message.read', '01a2107e-5e49-70b9-8d15-bf31c2a6840c', 3, '{"id":"01a2107f-cc15-718a-a012-b51d3fecc486","type":"message.read","timestamp":"2026-11-25T02:19:00.501Z","data":{"message_id":"01a2107e-5e49-70b9-8d15-bf31c2a6840c","client_message_id":"upgrade-3","thread_id":"01a2107e-10ad-7552-8b5f-1e05bc141036","contact_id":"01a2107e-10a9-7f9c-9fd2-520bb559b348","channel_id":"01a2107e-1084-7771-a4c8-575e8f448747","type":"text","delivery_state":"read","error":null,"created_at":"2026-11-25T02:17:26.857Z","sent_at":"2026-11-25T02:19:00.083Z","delivered_at":"2026-11-25T02:19:00.083Z","read_at":"2026-11-25T02:19:00.083Z","failed_at":null,"previous_state":"delivered","sequence":3,"inferred":false}}', '2026-11-25 02:19:00.501788+00', true);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 35, true);
SELECT pg_catalog.setval('public.messages_accept_seq_seq', 7, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_provider_id_unique UNIQUE (user_id, provider_id);
ALTER TABLE ONLY public.api_key_secret_usage
    ADD CONSTRAINT api_key_secret_usage_pkey PRIMARY KEY (secret_id);
ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_hash_unique UNIQUE (hash);
ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_key_usage
    ADD CONSTRAINT api_key_usage_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_pk PRIMARY KEY (id, organization_id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_phone_number_unique UNIQUE (upstream, phone_number_id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contact_identities
    ADD CONSTRAINT contact_identities_handle_unique UNIQUE (handle, organization_id, kind);
ALTER TABLE ONLY public.contact_identities
    ADD CONSTRAINT contact_identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_contact_channel_unique UNIQUE (contact_id, channel_id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_id_organization_id_channel_id_unique UNIQUE (id, organization_id, channel_id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.demo_inbox
    ADD CONSTRAINT demo_inbox_pk PRIMARY KEY (id, organization_id);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.intake_minutes
    ADD CONSTRAINT intake_minutes_pkey PRIMARY KEY (minute);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_user_id_unique UNIQUE (organization_id, user_id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.message_attempts
    ADD CONSTRAINT message_attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.message_events
    ADD CONSTRAINT message_events_pk PRIMARY KEY (message_id, kind, source_key);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_client_message_id_unique UNIQUE (client_message_id, organization_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pk PRIMARY KEY (id, organization_id);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_subject_bucket_pk PRIMARY KEY (subject, bucket);
ALTER TABLE ONLY public.refusal_hours
    ADD CONSTRAINT refusal_hours_pk PRIMARY KEY (organization_id, hour, key_id, code);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_unique UNIQUE (token);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_place_pk PRIMARY KEY (user_id, place);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_name_unique UNIQUE (channel_id, name, language);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_unique UNIQUE (user_id);
ALTER TABLE ONLY public.unmatched_statuses
    ADD CONSTRAINT unmatched_statuses_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.unmatched_statuses
    ADD CONSTRAINT unmatched_statuses_unique UNIQUE (upstream_id, channel_id, status);
ALTER TABLE ONLY public.upload_media
    ADD CONSTRAINT upload_media_channel_unique UNIQUE (upload_id, channel_id);
ALTER TABLE ONLY public.upload_media
    ADD CONSTRAINT upload_media_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_storage_key_unique UNIQUE (storage_key);
ALTER TABLE ONLY public.upstream_callbacks
    ADD CONSTRAINT upstream_callbacks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_progress
    ADD CONSTRAINT usage_progress_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pk PRIMARY KEY (delivery_id, number);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_unique UNIQUE (event_id, endpoint_id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pk PRIMARY KEY (id, organization_id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_id_organization_id_unique UNIQUE (id, organization_id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pk PRIMARY KEY (id, organization_id);
ALTER TABLE ONLY public.webhook_former_secrets
    ADD CONSTRAINT webhook_former_secrets_pk PRIMARY KEY (endpoint_id, id, organization_id);
ALTER TABLE ONLY public.webhook_replays
    ADD CONSTRAINT webhook_replays_pk PRIMARY KEY (endpoint_id, replay_id);
CREATE INDEX api_key_secrets_key_index ON public.api_key_secrets USING btree (key_id, organization_id);
CREATE INDEX api_requests_client_message_id_index ON public.api_requests USING btree (client_message_id, organization_id, refused_at, id) WHERE (client_message_id IS NOT NULL);
CREATE INDEX api_requests_conversation_index ON public.api_requests USING btree (conversation_id, organization_id, refused_at, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX api_requests_key_index ON public.api_requests USING btree (key_id, organization_id, refused_at, id);
CREATE INDEX api_requests_order_index ON public.api_requests USING btree (organization_id, refused_at, id);
CREATE INDEX api_requests_recipient_index ON public.api_requests USING btree (recipient_hash, organization_id, refused_at, id) WHERE (recipient_hash IS NOT NULL);
CREATE INDEX audit_log_member_index ON public.audit_log USING btree (actor_id, organization_id, created_at, id) WHERE (actor_kind = 'member'::text);
CREATE INDEX audit_log_order_index ON public.audit_log USING btree (organization_id, created_at, id);
CREATE INDEX audit_log_subject_index ON public.audit_log USING btree (subject_id, organization_id, created_at, id);
CREATE UNIQUE INDEX channels_default_unique ON public.channels USING btree (organization_id) WHERE is_default;
CREATE INDEX contact_identities_canonical_index ON public.contact_identities USING btree (canonical, organization_id, kind);
CREATE INDEX contact_identities_contact_index ON public.contact_identities USING btree (contact_id, organization_id);
CREATE INDEX contact_identities_prefix_index ON public.contact_identities USING btree (organization_id, canonical text_pattern_ops) WHERE (kind = 'whatsapp'::text);
CREATE INDEX contact_identities_suffix_index ON public.contact_identities USING btree (reverse(canonical) text_pattern_ops, organization_id) WHERE (kind = 'whatsapp'::text);
ALTER INDEX public.contact_identities_suffix_index ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX contacts_erased_index ON public.contacts USING btree (erased_at) WHERE (erased_at IS NOT NULL);
CREATE INDEX contacts_last_name_index ON public.contacts USING btree (organization_id, split_part(translate(lower("left"(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž'::text, 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'::text), ' '::text, '-1'::integer) text_pattern_ops) WHERE (strpos(name, ' '::text) > 0);
ALTER INDEX public.contacts_last_name_index ALTER COLUMN 2 SET STATISTICS 0;
CREATE INDEX contacts_list_index ON public.contacts USING btree (organization_id, id) WHERE ((erased_at IS NULL) AND (merged_into IS NULL));
CREATE INDEX contacts_merged_index ON public.contacts USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX contacts_name_index ON public.contacts USING btree (organization_id, translate(lower("left"(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž'::text, 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'::text) text_pattern_ops) WHERE (name IS NOT NULL);
ALTER INDEX public.contacts_name_index ALTER COLUMN 2 SET STATISTICS 0;
CREATE INDEX contacts_order_index ON public.contacts USING btree (organization_id, id) WHERE (erased_at IS NULL);
CREATE INDEX contacts_second_name_index ON public.contacts USING btree (organization_id, split_part(translate(lower("left"(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž'::text, 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'::text), ' '::text, 2) text_pattern_ops) WHERE (strpos(name, ' '::text) > 0);
ALTER INDEX public.contacts_second_name_index ALTER COLUMN 2 SET STATISTICS 0;
CREATE INDEX demo_inbox_age_index ON public.demo_inbox USING btree (received_at);
CREATE INDEX demo_inbox_order_index ON public.demo_inbox USING btree (organization_id, ((fault IS NULL)), received_at, id);
CREATE UNIQUE INDEX invitations_open_unique ON public.invitations USING btree (lower(email), organization_id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX latency_hours_hour_index ON public.latency_hours USING btree (organization_id, hour);
CREATE UNIQUE INDEX latency_hours_unique ON public.latency_hours USING btree (organization_id, COALESCE(channel_id, key_id, '00000000-0000-0000-0000-000000000000'::uuid), hour);
CREATE INDEX message_attempts_accepted_index ON public.message_attempts USING btree (channel_id, started_at) WHERE (outcome = 'accepted'::text);
CREATE INDEX message_attempts_ended_index ON public.message_attempts USING btree (message_id) WHERE (outcome = ANY (ARRAY['rejected'::text, 'retry'::text]));
CREATE UNIQUE INDEX message_attempts_one_unsettled_unique ON public.message_attempts USING btree (message_id) WHERE ((outcome IS NULL) OR (outcome = ANY (ARRAY['accepted'::text, 'uncertain'::text])));
CREATE INDEX message_attempts_open_index ON public.message_attempts USING btree (deadline) WHERE (outcome IS NULL);
CREATE INDEX message_attempts_uncertain_index ON public.message_attempts USING btree (channel_id, recipient) WHERE (outcome = 'uncertain'::text);
CREATE UNIQUE INDEX message_events_sequence_unique ON public.message_events USING btree (message_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX messages_claim_index ON public.messages USING btree (claimed_until) WHERE (is_queued AND (claim_token IS NOT NULL));
CREATE INDEX messages_doubt_index ON public.messages USING btree (in_doubt_since) WHERE (is_queued AND (in_doubt_since IS NOT NULL));
CREATE INDEX messages_due_index ON public.messages USING btree (channel_id, next_attempt_at, accept_seq) WHERE (is_queued AND (claim_token IS NULL) AND (in_doubt_since IS NULL));
CREATE INDEX messages_erased_index ON public.messages USING btree (conversation_id, accept_seq) WHERE (erased_at IS NOT NULL);
CREATE INDEX messages_error_code_index ON public.messages USING btree (organization_id, error_code, accept_seq) WHERE (error_code IS NOT NULL);
CREATE INDEX messages_expiry_index ON public.messages USING btree (created_at) WHERE (is_queued AND (created_at > '-infinity'::timestamp with time zone));
CREATE INDEX messages_failed_index ON public.messages USING btree (organization_id, accept_seq) WHERE (error_code IS NOT NULL);
CREATE INDEX messages_kept_index ON public.messages USING btree (conversation_id, accept_seq) WHERE (erased_at IS NULL);
CREATE INDEX messages_order_index ON public.messages USING btree (organization_id, accept_seq) WHERE (accept_seq > 0);
CREATE INDEX messages_queue_index ON public.messages USING btree (conversation_id, accept_seq) WHERE (is_queued AND (accept_seq > 0));
CREATE INDEX messages_resend_index ON public.messages USING btree (resend_of) WHERE (resend_of IS NOT NULL);
CREATE INDEX messages_unconfirmed_index ON public.messages USING btree (organization_id, accept_seq) WHERE (is_queued AND (in_doubt_since IS NOT NULL) AND (created_at < 'infinity'::timestamp with time zone));
CREATE INDEX messages_upload_index ON public.messages USING btree (upload_id) WHERE (upload_id IS NOT NULL);
CREATE UNIQUE INDEX messages_upstream_id_unique ON public.messages USING btree (channel_id, upstream_id) WHERE (upstream_id IS NOT NULL);
CREATE INDEX messages_waiting_index ON public.messages USING btree (organization_id, accept_seq) WHERE (is_queued AND (created_at < 'infinity'::timestamp with time zone));
CREATE INDEX sessions_expires_at_index ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user_index ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_attempts_window_ends_at_index ON public.sign_in_attempts USING btree (window_ends_at);
CREATE INDEX sign_in_places_last_used_at_index ON public.sign_in_places USING btree (last_used_at);
CREATE INDEX unmatched_statuses_age_index ON public.unmatched_statuses USING btree (created_at, organization_id);
CREATE INDEX unmatched_statuses_recipient_index ON public.unmatched_statuses USING btree (created_at) WHERE (recipient IS NOT NULL);
CREATE INDEX uploads_expires_at_index ON public.uploads USING btree (expires_at);
CREATE INDEX upstream_callbacks_kept_index ON public.upstream_callbacks USING btree (organization_id, received_at) WHERE (processed_at IS NOT NULL);
CREATE INDEX upstream_callbacks_waiting_index ON public.upstream_callbacks USING btree (channel_id, received_at) WHERE (processed_at IS NULL);
CREATE UNIQUE INDEX usage_hours_unique ON public.usage_hours USING btree (organization_id, hour, channel_id, COALESCE(key_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(error_code, ''::text));
CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email));
CREATE INDEX verifications_expires_at_index ON public.verifications USING btree (expires_at);
CREATE INDEX verifications_identifier_index ON public.verifications USING btree (identifier);
CREATE INDEX webhook_deliveries_available_index ON public.webhook_deliveries USING btree (organization_id, created_at) WHERE (state = 'available'::text);
CREATE INDEX webhook_deliveries_claim_index ON public.webhook_deliveries USING btree (endpoint_id, claimed_until) WHERE (is_pending AND (claim_token IS NOT NULL));
CREATE INDEX webhook_deliveries_due_index ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (is_pending AND (claim_token IS NULL));
CREATE INDEX webhook_deliveries_order_index ON public.webhook_deliveries USING btree (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_state_index ON public.webhook_deliveries USING btree (endpoint_id, state, created_at, id) WHERE (state = ANY (ARRAY['failed'::text, 'skipped'::text]));
CREATE INDEX webhook_endpoints_organization_index ON public.webhook_endpoints USING btree (organization_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_events_age_index ON public.webhook_events USING btree (organization_id, created_at);
CREATE UNIQUE INDEX webhook_events_message_unique ON public.webhook_events USING btree (message_id, sequence) WHERE (message_id IS NOT NULL);
CREATE INDEX webhook_replays_running_index ON public.webhook_replays USING btree (endpoint_id, created_at) WHERE (finished_at IS NULL);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_key_secret_usage
    ADD CONSTRAINT api_key_secret_usage_secret_id_api_key_secrets_id_fk FOREIGN KEY (secret_id) REFERENCES public.api_key_secrets(id);
ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_organization_id_key_id_api_keys_organization_id FOREIGN KEY (organization_id, key_id) REFERENCES public.api_keys(organization_id, id);
ALTER TABLE ONLY public.api_key_usage
    ADD CONSTRAINT api_key_usage_organization_id_key_id_api_keys_organization_id_i FOREIGN KEY (organization_id, key_id) REFERENCES public.api_keys(organization_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_organization_id_key_id_api_keys_organization_id_id FOREIGN KEY (organization_id, key_id) REFERENCES public.api_keys(organization_id, id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.contact_identities
    ADD CONSTRAINT contact_identities_organization_id_contact_id_contacts_organiza FOREIGN KEY (organization_id, contact_id) REFERENCES public.contacts(organization_id, id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_organization_id_merged_into_contacts_organization_id_i FOREIGN KEY (organization_id, merged_into) REFERENCES public.contacts(organization_id, id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_organization_id_assignee_id_members_organization_ FOREIGN KEY (organization_id, assignee_id) REFERENCES public.members(organization_id, id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_organization_id_channel_id_channels_organization_ FOREIGN KEY (organization_id, channel_id) REFERENCES public.channels(organization_id, id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_organization_id_contact_id_contacts_organization_ FOREIGN KEY (organization_id, contact_id) REFERENCES public.contacts(organization_id, id);
ALTER TABLE ONLY public.demo_inbox
    ADD CONSTRAINT demo_inbox_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_invited_by_members_organization_id_ FOREIGN KEY (organization_id, invited_by) REFERENCES public.members(organization_id, id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.latency_hours
    ADD CONSTRAINT latency_hours_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.message_attempts
    ADD CONSTRAINT message_attempts_organization_id_message_id_messages_organizati FOREIGN KEY (organization_id, message_id) REFERENCES public.messages(organization_id, id);
ALTER TABLE ONLY public.message_events
    ADD CONSTRAINT message_events_organization_id_message_id_messages_organization FOREIGN KEY (organization_id, message_id) REFERENCES public.messages(organization_id, id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_conversation_fk FOREIGN KEY (conversation_id, organization_id, channel_id) REFERENCES public.conversations(id, organization_id, channel_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_organization_id_contact_id_contacts_organization_id_id FOREIGN KEY (organization_id, contact_id) REFERENCES public.contacts(organization_id, id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_organization_id_template_id_templates_organization_id_ FOREIGN KEY (organization_id, template_id) REFERENCES public.templates(organization_id, id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_organization_id_upload_id_uploads_organization_id_id_f FOREIGN KEY (organization_id, upload_id) REFERENCES public.uploads(organization_id, id);
ALTER TABLE ONLY public.refusal_hours
    ADD CONSTRAINT refusal_hours_organization_id_key_id_api_keys_organization_id_i FOREIGN KEY (organization_id, key_id) REFERENCES public.api_keys(organization_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_organization_id_channel_id_channels_organization_id_i FOREIGN KEY (organization_id, channel_id) REFERENCES public.channels(organization_id, id);
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.unmatched_statuses
    ADD CONSTRAINT unmatched_statuses_organization_id_channel_id_channels_organiza FOREIGN KEY (organization_id, channel_id) REFERENCES public.channels(organization_id, id);
ALTER TABLE ONLY public.upload_media
    ADD CONSTRAINT upload_media_organization_id_channel_id_channels_organization_i FOREIGN KEY (organization_id, channel_id) REFERENCES public.channels(organization_id, id);
ALTER TABLE ONLY public.upload_media
    ADD CONSTRAINT upload_media_organization_id_upload_id_uploads_organization_id_ FOREIGN KEY (organization_id, upload_id) REFERENCES public.uploads(organization_id, id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.upstream_callbacks
    ADD CONSTRAINT upstream_callbacks_organization_id_channel_id_channels_organiza FOREIGN KEY (organization_id, channel_id) REFERENCES public.channels(organization_id, id);
ALTER TABLE ONLY public.usage_hours
    ADD CONSTRAINT usage_hours_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.usage_progress
    ADD CONSTRAINT usage_progress_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_organization_id_delivery_id_webhook_deliveries FOREIGN KEY (organization_id, delivery_id) REFERENCES public.webhook_deliveries(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organization_id_endpoint_id_webhook_endpoint FOREIGN KEY (organization_id, endpoint_id) REFERENCES public.webhook_endpoints(organization_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organization_id_event_id_webhook_events_orga FOREIGN KEY (organization_id, event_id) REFERENCES public.webhook_events(organization_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organization_id_organizations_id_fk FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_organization_id_message_id_messages_organization FOREIGN KEY (organization_id, message_id) REFERENCES public.messages(organization_id, id);
ALTER TABLE ONLY public.webhook_former_secrets
    ADD CONSTRAINT webhook_former_secrets_endpoint_fk FOREIGN KEY (endpoint_id, organization_id) REFERENCES public.webhook_endpoints(id, organization_id);
ALTER TABLE ONLY public.webhook_replays
    ADD CONSTRAINT webhook_replays_organization_id_endpoint_id_webhook_endpoints_o FOREIGN KEY (organization_id, endpoint_id) REFERENCES public.webhook_endpoints(organization_id, id);
