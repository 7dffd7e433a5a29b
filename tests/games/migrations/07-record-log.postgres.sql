-- [{"match": "JHhBAenFh7", "game": "tic-tac-toe", "moves": ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"], "status": "over", "goals": {"xplayer": 100, "oplayer": 0}, "clock": null, "sessions": {"oplayer": "tnsg19xjp0swhgkp2updtavnxq3oeb4u", "xplayer": "uwb3f9dcjvpl5xttnz8ltf70gcc4fk21"}, "signed": "{\"key\":\"localhost:20001/log+e9f6d1b6+AROdk32POO8yYoC45blfEvIR6XVULPyG2ikPvsUGwoAW\",\"log\":{\"checkpoint\":\"localhost:20001/log\\n2\\nv4xYfP4tTzp7DNr8lP+BKOYNo7apH2AScTa7LgAqk8I=\\n\\n\u2014 localhost:20001/log 6fbRto2ntpm14r9hptoMh6QfBz7AKckVtasQSDwjbRIttTSeiL94UchWOzwdlFwyEnBoaJJTQCmUgplq43e4Hd9XVwY=\\n\",\"index\":0,\"proof\":[\"AVxZHfM+w9b1UMrGe+CbOffjQ7bkJdE3rMCFDEsFtUo=\"]},\"record\":{\"clock\":\"\",\"created_at\":1795472546569353,\"ended\":\"rules\",\"ended_at\":1795472546712408,\"format\":\"parlour-record/1\",\"game\":\"tic-tac-toe\",\"goals\":{\"oplayer\":0,\"xplayer\":100},\"match\":\"JHhBAenFh7\",\"moves\":[{\"action\":\"mark 1 1\",\"at\":1795472546700565,\"role\":\"xplayer\",\"spent_ms\":131},{\"action\":\"mark 2 1\",\"at\":1795472546704958,\"role\":\"oplayer\",\"spent_ms\":4},{\"action\":\"mark 1 2\",\"at\":1795472546707685,\"role\":\"xplayer\",\"spent_ms\":2},{\"action\":\"mark 2 2\",\"at\":1795472546710232,\"role\":\"oplayer\",\"spent_ms\":2},{\"action\":\"mark 1 3\",\"at\":1795472546712408,\"role\":\"xplayer\",\"spent_ms\":2}],\"notation\":\"xxxoo....\",\"options\":\"\",\"rated\":false,\"seats\":{\"oplayer\":{\"computer\":null,\"player\":1},\"xplayer\":{\"computer\":null,\"player\":2}},\"status\":\"over\"},\"signature\":\"EXC9rmtbID/KRqq0B2LbWpD+DuClT6P1q5y0GfRhDn4ZnDBgvN6aB/2zLyMO9jPVTz3tTX4QBEG0pRuOnlvkAg==\"}"}, {"match": "Lf9ngDVNyC", "game": "tic-tac-toe", "moves": ["mark 2 2", "mark 1 1", "mark 1 2", "mark 3 2"], "status": "live", "goals": null, "clock": null, "sessions": {"oplayer": "qcgpey6ejdmbqodhh48jngq9rfdpu441", "xplayer": "vpv3ei2raqt1z9h5gykycdkejrkhhaaa"}}, {"match": "dq3uWCVzVD", "game": "parallel-tic-tac-toe", "moves": ["mark 1 1 2 2", "mark 2 2 1 1"], "status": "live", "goals": null, "clock": null, "sessions": {"oplayer": "qhepmljqkl1ip6tgau0ztxs5wu2bl66d", "xplayer": "gp6wslx1df36m107gbk6hztg65nprrgg"}}, {"match": "68DGMNe5C6", "game": "dots-and-boxes", "moves": ["draw 1 1 1 2", "draw 1 1 2 1", "draw 2 1 2 2", "draw 1 2 2 2"], "status": "over", "goals": {"xplayer": 0, "oplayer": 100}, "clock": null, "sessions": {"xplayer": "z91aruwg3tp55h8eagiprn2oev9ompuu", "oplayer": "rlqywpvxxbiiy3v3ool86nzin9l9dydd"}, "signed": "{\"key\":\"localhost:20001/log+e9f6d1b6+AROdk32POO8yYoC45blfEvIR6XVULPyG2ikPvsUGwoAW\",\"log\":{\"checkpoint\":\"localhost:20001/log\\n2\\nv4xYfP4tTzp7DNr8lP+BKOYNo7apH2AScTa7LgAqk8I=\\n\\n\u2014 localhost:20001/log 6fbRto2ntpm14r9hptoMh6QfBz7AKckVtasQSDwjbRIttTSeiL94UchWOzwdlFwyEnBoaJJTQCmUgplq43e4Hd9XVwY=\\n\",\"index\":1,\"proof\":[\"FEveQVUxX/K5grV1kIP98jMHSX15ycru7Xpmmylo5pc=\"]},\"record\":{\"clock\":\"\",\"created_at\":1795472547722747,\"ended\":\"resignation\",\"ended_at\":1795472547871347,\"format\":\"parlour-record/1\",\"game\":\"dots-and-boxes\",\"goals\":{\"oplayer\":100,\"xplayer\":0},\"match\":\"68DGMNe5C6\",\"moves\":[{\"action\":\"draw 1 1 1 2\",\"at\":1795472547814324,\"role\":\"xplayer\",\"spent_ms\":91},{\"action\":\"draw 1 1 2 1\",\"at\":1795472547833999,\"role\":\"oplayer\",\"spent_ms\":19},{\"action\":\"draw 2 1 2 2\",\"at\":1795472547855104,\"role\":\"xplayer\",\"spent_ms\":21},{\"action\":\"draw 1 2 2 2\",\"at\":1795472547862559,\"role\":\"oplayer\",\"spent_ms\":7}],\"notation\":\"80b/0/1/o\",\"options\":\"\",\"rated\":false,\"seats\":{\"oplayer\":{\"computer\":null,\"player\":8},\"xplayer\":{\"computer\":null,\"player\":7}},\"status\":\"over\"},\"signature\":\"A2hcqIJKGazhNawAvBHYQqM5sb2tbMogAZqm7OY77zmK/LupB3gqQHyhKwyA3LWXRsm1Aijjo6jLAI3r0Lj/Bw==\"}"}, {"match": "6jNAANHWvt", "game": "six-in-a-row", "moves": ["place 8 8", "place 8 9", "place 9 9", "pick black"], "status": "live", "goals": null, "clock": null, "sessions": {"player2": "cndwfs7pytscwhdpz92wptie6z5x2nfb", "player1": "awvxlnhnlqfxqzk31qoyxcg1hoyaizko"}}, {"match": "4Jpad5US4T", "game": "tic-tac-toe", "moves": ["mark 2 2", "mark 1 1"], "status": "live", "goals": null, "clock": {"xplayer": 181746, "oplayer": 181989}, "sessions": {"oplayer": "2sdto7lxegyc5u0v31g1i2dw8q4n4ssp", "xplayer": "h0qpmpdbwts5wtfta8l81l55k3in6cfr"}}]
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);
ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id bigint NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);
ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);
CREATE TABLE public.games_analysis (
    match_id character varying(10) NOT NULL,
    version integer NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    looked integer NOT NULL,
    looks jsonb NOT NULL,
    asked_by_id bigint,
    CONSTRAINT games_analysis_looked_check CHECK ((looked >= 0)),
    CONSTRAINT games_analysis_version_check CHECK ((version >= 0))
);
CREATE TABLE public.games_assignment (
    player_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint NOT NULL
);
CREATE TABLE public.games_attendance (
    id bigint NOT NULL,
    server character varying(10) NOT NULL,
    first_at timestamp with time zone,
    second_at timestamp with time zone,
    watchers integer NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    match_id character varying(10) NOT NULL,
    CONSTRAINT games_attendance_watchers_check CHECK ((watchers >= 0))
);
ALTER TABLE public.games_attendance ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_attendance_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_caller (
    player_id bigint NOT NULL,
    address character varying(16) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.games_case (
    id bigint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone,
    closed_at timestamp with time zone,
    outcome character varying(8) NOT NULL,
    closed_by_id bigint,
    match_id character varying(10) NOT NULL,
    player_id bigint NOT NULL,
    taken_by_id bigint,
    disputed_at timestamp with time zone
);
ALTER TABLE public.games_case ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_case_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_connection (
    id bigint NOT NULL,
    seat smallint NOT NULL,
    server character varying(10) NOT NULL,
    address character varying(16) NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    match_id character varying(10) NOT NULL,
    CONSTRAINT games_connection_seat_check CHECK ((seat >= 0))
);
ALTER TABLE public.games_connection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_connection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_decision (
    id bigint NOT NULL,
    kind character varying(8) NOT NULL,
    number integer NOT NULL,
    reason character varying(500) NOT NULL,
    at timestamp with time zone NOT NULL,
    until timestamp with time zone,
    first_goal smallint,
    second_goal smallint,
    name character varying(40) NOT NULL,
    before jsonb NOT NULL,
    by_id bigint NOT NULL,
    match_id character varying(10),
    player_id bigint,
    reverses_id bigint,
    CONSTRAINT decision_has_a_reason CHECK ((NOT ((reason)::text = ''::text))),
    CONSTRAINT decision_is_about_something CHECK (((match_id IS NOT NULL) OR (player_id IS NOT NULL))),
    CONSTRAINT games_decision_first_goal_check CHECK ((first_goal >= 0)),
    CONSTRAINT games_decision_number_check CHECK ((number >= 0)),
    CONSTRAINT games_decision_second_goal_check CHECK ((second_goal >= 0))
);
ALTER TABLE public.games_decision ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_decision_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_event (
    id bigint NOT NULL,
    version integer NOT NULL,
    kind character varying(9) NOT NULL,
    ended character varying(12) NOT NULL,
    first_goal smallint,
    second_goal smallint,
    at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    tries integer NOT NULL,
    match_id character varying(10) NOT NULL,
    CONSTRAINT games_event_first_goal_check CHECK ((first_goal >= 0)),
    CONSTRAINT games_event_second_goal_check CHECK ((second_goal >= 0)),
    CONSTRAINT games_event_tries_check CHECK ((tries >= 0)),
    CONSTRAINT games_event_version_check CHECK ((version >= 0))
);
ALTER TABLE public.games_event ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_logentry (
    index bigint NOT NULL,
    sha256 character varying(64) NOT NULL,
    at timestamp with time zone NOT NULL,
    match_id character varying(10) NOT NULL,
    CONSTRAINT games_logentry_index_check CHECK ((index >= 0))
);
CREATE TABLE public.games_loghead (
    id bigint NOT NULL,
    size bigint NOT NULL,
    CONSTRAINT games_loghead_size_check CHECK ((size >= 0))
);
ALTER TABLE public.games_loghead ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_loghead_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_lognode (
    id bigint NOT NULL,
    level smallint NOT NULL,
    index bigint NOT NULL,
    sha256 character varying(64) NOT NULL,
    CONSTRAINT games_lognode_index_check CHECK ((index >= 0)),
    CONSTRAINT games_lognode_level_check CHECK ((level >= 0))
);
ALTER TABLE public.games_lognode ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_lognode_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_logwish (
    id bigint NOT NULL,
    match_id character varying(10) NOT NULL
);
ALTER TABLE public.games_logwish ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_logwish_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_match (
    id character varying(10) NOT NULL,
    game character varying(40) NOT NULL,
    status character varying(8) NOT NULL,
    ended character varying(12) NOT NULL,
    first_goal smallint,
    second_goal smallint,
    ply integer NOT NULL,
    version integer NOT NULL,
    notation character varying(255) NOT NULL,
    last character varying(64) NOT NULL,
    acted smallint NOT NULL,
    draw_by smallint,
    draw_ply integer,
    rematch_by smallint,
    created_at timestamp with time zone NOT NULL,
    acted_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    first_id bigint NOT NULL,
    rematch_id character varying(10),
    second_id bigint NOT NULL,
    clock character varying(7) NOT NULL,
    deadline timestamp with time zone,
    first_ms integer,
    second_ms integer,
    chain character varying(32) NOT NULL,
    digest character varying(32) NOT NULL,
    ended_by smallint,
    resumed_at timestamp with time zone,
    bot_at timestamp with time zone,
    first_level smallint,
    second_level smallint,
    first_lag_ms integer,
    outage bigint,
    second_lag_ms integer,
    options character varying(64) DEFAULT ''::character varying NOT NULL,
    rated boolean DEFAULT false NOT NULL,
    arranged boolean DEFAULT false NOT NULL,
    berserk smallint,
    CONSTRAINT games_match_acted_check CHECK ((acted >= 0)),
    CONSTRAINT games_match_berserk_check CHECK ((berserk >= 0)),
    CONSTRAINT games_match_draw_by_check CHECK ((draw_by >= 0)),
    CONSTRAINT games_match_draw_ply_check CHECK ((draw_ply >= 0)),
    CONSTRAINT games_match_ended_by_check CHECK ((ended_by >= 0)),
    CONSTRAINT games_match_first_goal_check CHECK ((first_goal >= 0)),
    CONSTRAINT games_match_first_lag_ms_check CHECK ((first_lag_ms >= 0)),
    CONSTRAINT games_match_first_level_check CHECK ((first_level >= 0)),
    CONSTRAINT games_match_first_ms_check CHECK ((first_ms >= 0)),
    CONSTRAINT games_match_outage_check CHECK ((outage >= 0)),
    CONSTRAINT games_match_ply_check CHECK ((ply >= 0)),
    CONSTRAINT games_match_rematch_by_check CHECK ((rematch_by >= 0)),
    CONSTRAINT games_match_second_goal_check CHECK ((second_goal >= 0)),
    CONSTRAINT games_match_second_lag_ms_check CHECK ((second_lag_ms >= 0)),
    CONSTRAINT games_match_second_level_check CHECK ((second_level >= 0)),
    CONSTRAINT games_match_second_ms_check CHECK ((second_ms >= 0)),
    CONSTRAINT games_match_version_check CHECK ((version >= 0)),
    CONSTRAINT match_ended_once CHECK (((((ended)::text = ''::text) AND (ended_at IS NULL) AND ((status)::text = 'live'::text)) OR ((NOT ((status)::text = 'live'::text)) AND (NOT ((ended)::text = ''::text)) AND (ended_at IS NOT NULL)))),
    CONSTRAINT match_first_goal_to_100 CHECK (((first_goal IS NULL) OR (first_goal <= 100))),
    CONSTRAINT match_of_two_people CHECK ((NOT (first_id = second_id))),
    CONSTRAINT match_second_goal_to_100 CHECK (((second_goal IS NULL) OR (second_goal <= 100)))
);
CREATE TABLE public.games_move (
    id bigint NOT NULL,
    ply integer NOT NULL,
    role character varying(40) NOT NULL,
    action character varying(64) NOT NULL,
    at timestamp with time zone NOT NULL,
    spent_ms bigint NOT NULL,
    match_id character varying(10) NOT NULL,
    CONSTRAINT games_move_ply_check CHECK ((ply >= 0)),
    CONSTRAINT games_move_spent_ms_check CHECK ((spent_ms >= 0))
);
ALTER TABLE public.games_move ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_move_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_note (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    words character varying(500) NOT NULL,
    by_id bigint NOT NULL,
    match_id character varying(10),
    player_id bigint NOT NULL,
    CONSTRAINT note_has_words CHECK ((NOT ((words)::text = ''::text)))
);
ALTER TABLE public.games_note ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_note_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_notice (
    id bigint NOT NULL,
    words character varying(700) DEFAULT ''::character varying NOT NULL,
    at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    match_id character varying(10),
    player_id bigint NOT NULL,
    said jsonb
);
ALTER TABLE public.games_notice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_notice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_outage (
    id bigint NOT NULL,
    down_from timestamp with time zone NOT NULL,
    up_at timestamp with time zone NOT NULL
);
ALTER TABLE public.games_outage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_outage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_positionlook (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    notation character varying(255) NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    look jsonb NOT NULL
);
ALTER TABLE public.games_positionlook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_positionlook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_pulse (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    up_since timestamp with time zone NOT NULL,
    epoch character varying(10) DEFAULT ''::character varying NOT NULL
);
ALTER TABLE public.games_pulse ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_pulse_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_report (
    id bigint NOT NULL,
    reason character varying(8) NOT NULL,
    words character varying(500) NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint NOT NULL,
    case_id bigint NOT NULL
);
ALTER TABLE public.games_report ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_report_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_sign (
    id bigint NOT NULL,
    key character varying(64) NOT NULL,
    kind character varying(8) NOT NULL,
    words character varying(300) DEFAULT ''::character varying NOT NULL,
    at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    match_id character varying(10) NOT NULL,
    player_id bigint NOT NULL,
    seen_by_id bigint,
    said jsonb
);
ALTER TABLE public.games_sign ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_sign_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_signingkey (
    id bigint NOT NULL,
    text character varying(300) NOT NULL,
    since timestamp with time zone NOT NULL
);
ALTER TABLE public.games_signingkey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_signingkey_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.games_signsearch (
    match_id character varying(10) NOT NULL,
    at timestamp with time zone NOT NULL,
    due_at timestamp with time zone
);
CREATE TABLE public.games_watch (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE public.games_watch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.games_watch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_accuracy (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    band smallint NOT NULL,
    moves smallint NOT NULL,
    kept smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    match_id character varying(10) NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT lobby_accuracy_band_check CHECK ((band >= 0)),
    CONSTRAINT lobby_accuracy_kept_check CHECK ((kept >= 0)),
    CONSTRAINT lobby_accuracy_moves_check CHECK ((moves >= 0))
);
ALTER TABLE public.lobby_accuracy ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_accuracy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_adoption (
    guest_id bigint NOT NULL,
    is_done boolean NOT NULL,
    account_id bigint NOT NULL
);
CREATE TABLE public.lobby_appeal (
    id bigint NOT NULL,
    words character varying(500) NOT NULL,
    at timestamp with time zone NOT NULL,
    answer character varying(500) NOT NULL,
    answered_at timestamp with time zone,
    answered_by_id bigint,
    decision_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_appeal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_appeal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_authorizationcode (
    id bigint NOT NULL,
    hash character varying(64) NOT NULL,
    client character varying(60) NOT NULL,
    redirect character varying(500) NOT NULL,
    challenge character varying(43) NOT NULL,
    scopes character varying(120) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    is_used boolean NOT NULL,
    player_id bigint NOT NULL,
    token_id bigint
);
ALTER TABLE public.lobby_authorizationcode ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_authorizationcode_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_block (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint NOT NULL,
    whom_id bigint NOT NULL,
    CONSTRAINT block_of_another CHECK ((NOT (by_id = whom_id)))
);
ALTER TABLE public.lobby_block ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_block_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_challenge (
    id character varying(10) NOT NULL,
    game character varying(40) NOT NULL,
    clock character varying(7) NOT NULL,
    options character varying(64) NOT NULL,
    rated boolean NOT NULL,
    side character varying(6) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    answer character varying(8) NOT NULL,
    word character varying(12) NOT NULL,
    answered_at timestamp with time zone,
    challenged_id bigint NOT NULL,
    challenger_id bigint NOT NULL,
    match_id character varying(10),
    CONSTRAINT challenge_answered_once CHECK (((((answer)::text = ''::text) AND (answered_at IS NULL) AND (match_id IS NULL)) OR (((answer)::text = 'declined'::text) AND (answered_at IS NOT NULL) AND (match_id IS NULL)) OR (((answer)::text = 'accepted'::text) AND (answered_at IS NOT NULL) AND (match_id IS NOT NULL)))),
    CONSTRAINT challenge_of_another CHECK ((NOT (challenger_id = challenged_id)))
);
CREATE TABLE public.lobby_computergame (
    match_id character varying(10) NOT NULL,
    game character varying(40) NOT NULL,
    level smallint NOT NULL,
    seat smallint NOT NULL,
    score double precision NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    at timestamp with time zone NOT NULL,
    person_id bigint NOT NULL,
    CONSTRAINT lobby_computergame_level_check CHECK ((level >= 0)),
    CONSTRAINT lobby_computergame_seat_check CHECK ((seat >= 0))
);
CREATE TABLE public.lobby_delivery (
    id character varying(24) NOT NULL,
    event character varying(40) NOT NULL,
    kind character varying(24) NOT NULL,
    body text NOT NULL,
    at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    tries smallint NOT NULL,
    fault character varying(12) NOT NULL,
    given_up boolean NOT NULL,
    hook_id bigint NOT NULL,
    CONSTRAINT lobby_delivery_tries_check CHECK ((tries >= 0))
);
CREATE TABLE public.lobby_device (
    id bigint NOT NULL,
    token character varying(64) NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    player_id bigint NOT NULL,
    sign_in_id bigint
);
ALTER TABLE public.lobby_device ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_device_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_entry (
    id bigint NOT NULL,
    state character varying(9) NOT NULL,
    seed smallint,
    rating double precision,
    entered_at timestamp with time zone NOT NULL,
    checked_in_at timestamp with time zone,
    byes character varying(80) NOT NULL,
    since_round smallint NOT NULL,
    free_since timestamp with time zone,
    seen_at timestamp with time zone,
    points integer NOT NULL,
    games smallint NOT NULL,
    wins smallint NOT NULL,
    forfeits smallint NOT NULL,
    streak smallint NOT NULL,
    rank smallint,
    sides smallint NOT NULL,
    began boolean NOT NULL,
    opponent bigint,
    player_id bigint NOT NULL,
    playing_id bigint,
    tournament_id character varying(10) NOT NULL,
    CONSTRAINT lobby_entry_forfeits_check CHECK ((forfeits >= 0)),
    CONSTRAINT lobby_entry_games_check CHECK ((games >= 0)),
    CONSTRAINT lobby_entry_opponent_check CHECK ((opponent >= 0)),
    CONSTRAINT lobby_entry_points_check CHECK ((points >= 0)),
    CONSTRAINT lobby_entry_rank_check CHECK ((rank >= 0)),
    CONSTRAINT lobby_entry_seed_check CHECK ((seed >= 0)),
    CONSTRAINT lobby_entry_since_round_check CHECK ((since_round >= 0)),
    CONSTRAINT lobby_entry_streak_check CHECK ((streak >= 0)),
    CONSTRAINT lobby_entry_wins_check CHECK ((wins >= 0))
);
ALTER TABLE public.lobby_entry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_factorreset (
    id bigint NOT NULL,
    reason character varying(500) NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    account_id bigint NOT NULL,
    asked_by_id bigint NOT NULL,
    confirmed_by_id bigint,
    CONSTRAINT factor_reset_by_two_others CHECK (((NOT ((asked_by_id = confirmed_by_id) AND (confirmed_by_id IS NOT NULL))) AND (NOT (asked_by_id = account_id)) AND (NOT ((confirmed_by_id = account_id) AND (confirmed_by_id IS NOT NULL)))))
);
ALTER TABLE public.lobby_factorreset ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_factorreset_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_formername (
    id bigint NOT NULL,
    name character varying(40) NOT NULL,
    name_key character varying(100) NOT NULL,
    until timestamp with time zone NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_formername ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_formername_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_group (
    id character varying(10) NOT NULL,
    name character varying(60) NOT NULL,
    for_minors boolean NOT NULL,
    code character varying(16),
    made_at timestamp with time zone NOT NULL,
    organiser_id bigint
);
CREATE TABLE public.lobby_groupgame (
    id bigint NOT NULL,
    is_live boolean NOT NULL,
    group_id character varying(10) NOT NULL,
    match_id character varying(10) NOT NULL
);
ALTER TABLE public.lobby_groupgame ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_groupgame_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_historymark (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    match character varying(40) NOT NULL
);
ALTER TABLE public.lobby_historymark ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_historymark_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_levelrating (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    level smallint NOT NULL,
    rating double precision NOT NULL,
    games integer NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT lobby_levelrating_games_check CHECK ((games >= 0)),
    CONSTRAINT lobby_levelrating_level_check CHECK ((level >= 0))
);
ALTER TABLE public.lobby_levelrating ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_levelrating_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_logline (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    said jsonb NOT NULL,
    by_id bigint,
    tournament_id character varying(10) NOT NULL
);
ALTER TABLE public.lobby_logline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_logline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_making (
    id bigint NOT NULL,
    key character varying(64) NOT NULL,
    shown_until timestamp with time zone NOT NULL,
    group_id character varying(10) NOT NULL
);
ALTER TABLE public.lobby_making ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_making_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_member (
    id bigint NOT NULL,
    listed_as character varying(40) NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    group_id character varying(10) NOT NULL,
    making_id bigint,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_member ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_member_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_pairing (
    id bigint NOT NULL,
    round smallint NOT NULL,
    board integer NOT NULL,
    leg smallint NOT NULL,
    kind character varying(8) NOT NULL,
    first_points smallint,
    second_points smallint,
    berserk smallint NOT NULL,
    absent smallint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    late_at timestamp with time zone,
    ended_at timestamp with time zone,
    first_id bigint NOT NULL,
    match_id character varying(10),
    second_id bigint,
    tournament_id character varying(10) NOT NULL,
    CONSTRAINT lobby_pairing_absent_check CHECK ((absent >= 0)),
    CONSTRAINT lobby_pairing_berserk_check CHECK ((berserk >= 0)),
    CONSTRAINT lobby_pairing_board_check CHECK ((board >= 0)),
    CONSTRAINT lobby_pairing_first_points_check CHECK ((first_points >= 0)),
    CONSTRAINT lobby_pairing_leg_check CHECK ((leg >= 0)),
    CONSTRAINT lobby_pairing_round_check CHECK ((round >= 0)),
    CONSTRAINT lobby_pairing_second_points_check CHECK ((second_points >= 0)),
    CONSTRAINT pairing_has_a_match CHECK ((((match_id IS NOT NULL) AND (second_id IS NOT NULL)) OR ((ended_at IS NOT NULL) AND (match_id IS NULL)))),
    CONSTRAINT pairing_of_two CHECK ((NOT ((first_id = second_id) AND (second_id IS NOT NULL))))
);
ALTER TABLE public.lobby_pairing ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_pairing_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_played (
    id bigint NOT NULL,
    seat smallint NOT NULL,
    game character varying(40) NOT NULL,
    result character varying(5) NOT NULL,
    length smallint NOT NULL,
    rated boolean NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    match_id character varying(10) NOT NULL,
    opponent_id bigint NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT lobby_played_length_check CHECK ((length >= 0)),
    CONSTRAINT lobby_played_seat_check CHECK ((seat >= 0))
);
ALTER TABLE public.lobby_played ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_played_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_player (
    id bigint NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    email character varying(254) NOT NULL,
    is_staff boolean NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    username character varying(40) NOT NULL,
    is_guest boolean NOT NULL,
    bot_level smallint,
    name_key character varying(100),
    has_rolled boolean DEFAULT false NOT NULL,
    beside_id bigint,
    alias_of_id bigint,
    closed_at timestamp with time zone,
    closing_at timestamp with time zone,
    must_rename boolean DEFAULT false NOT NULL,
    name_free_at timestamp with time zone,
    named_at timestamp with time zone,
    shown_as character varying(48),
    is_bot boolean DEFAULT false NOT NULL,
    CONSTRAINT alias_logs_in_never CHECK (((alias_of_id IS NULL) OR (NOT is_active))),
    CONSTRAINT alias_of_another CHECK ((NOT ((alias_of_id = id) AND (alias_of_id IS NOT NULL)))),
    CONSTRAINT lobby_player_bot_level_check CHECK ((bot_level >= 0))
);
CREATE TABLE public.lobby_player_groups (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.lobby_player_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_player_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.lobby_player ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_player_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_player_user_permissions (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.lobby_player_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_player_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_pool (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    clock character varying(7) NOT NULL,
    options character varying(64) NOT NULL,
    due_at timestamp with time zone
);
ALTER TABLE public.lobby_pool ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_pool_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_preferences (
    player_id bigint NOT NULL,
    scheme character varying(6) NOT NULL,
    board character varying(5) NOT NULL,
    sound boolean NOT NULL,
    confirm boolean,
    phrases boolean NOT NULL,
    challenges character varying(8) NOT NULL,
    rated boolean DEFAULT false NOT NULL,
    archived character varying(6) DEFAULT 'number'::character varying NOT NULL
);
CREATE TABLE public.lobby_ratedgame (
    id bigint NOT NULL,
    key character varying(64) NOT NULL,
    revision integer NOT NULL,
    kind character varying(10) NOT NULL,
    game character varying(40) NOT NULL,
    score double precision,
    advantage double precision NOT NULL,
    version smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    lot bigint NOT NULL,
    points double precision,
    first_since timestamp with time zone,
    first_rating double precision NOT NULL,
    first_deviation double precision NOT NULL,
    first_volatility double precision NOT NULL,
    first_new_rating double precision NOT NULL,
    first_new_deviation double precision NOT NULL,
    first_new_volatility double precision NOT NULL,
    first_games integer NOT NULL,
    first_best double precision NOT NULL,
    first_streak integer NOT NULL,
    first_longest integer NOT NULL,
    second_since timestamp with time zone,
    second_rating double precision,
    second_deviation double precision,
    second_volatility double precision,
    second_new_rating double precision,
    second_new_deviation double precision,
    second_new_volatility double precision,
    second_games integer,
    second_best double precision,
    second_streak integer,
    second_longest integer,
    first_id bigint NOT NULL,
    second_id bigint,
    CONSTRAINT lobby_ratedgame_first_games_check CHECK ((first_games >= 0)),
    CONSTRAINT lobby_ratedgame_first_longest_check CHECK ((first_longest >= 0)),
    CONSTRAINT lobby_ratedgame_first_streak_check CHECK ((first_streak >= 0)),
    CONSTRAINT lobby_ratedgame_revision_check CHECK ((revision >= 0)),
    CONSTRAINT lobby_ratedgame_second_games_check CHECK ((second_games >= 0)),
    CONSTRAINT lobby_ratedgame_second_longest_check CHECK ((second_longest >= 0)),
    CONSTRAINT lobby_ratedgame_second_streak_check CHECK ((second_streak >= 0)),
    CONSTRAINT lobby_ratedgame_version_check CHECK ((version >= 0))
);
ALTER TABLE public.lobby_ratedgame ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_ratedgame_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_rating (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    games integer NOT NULL,
    best double precision NOT NULL,
    streak integer NOT NULL,
    longest integer NOT NULL,
    key character varying(64) NOT NULL,
    rated_at timestamp with time zone NOT NULL,
    previous_at timestamp with time zone,
    listed_until timestamp with time zone,
    player_id bigint NOT NULL,
    CONSTRAINT lobby_rating_games_check CHECK ((games >= 0)),
    CONSTRAINT lobby_rating_longest_check CHECK ((longest >= 0)),
    CONSTRAINT lobby_rating_streak_check CHECK ((streak >= 0))
);
ALTER TABLE public.lobby_rating ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_rating_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_ratingspread (
    game character varying(40) NOT NULL,
    counts jsonb NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.lobby_recount (
    game character varying(40) NOT NULL,
    at timestamp with time zone NOT NULL,
    lot bigint NOT NULL
);
CREATE TABLE public.lobby_recoverywords (
    id bigint NOT NULL,
    hash character varying(128) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_recoverywords ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_recoverywords_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_roleadvantage (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    advantage double precision NOT NULL,
    games integer NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT lobby_roleadvantage_games_check CHECK ((games >= 0))
);
ALTER TABLE public.lobby_roleadvantage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_roleadvantage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_round (
    id bigint NOT NULL,
    number smallint NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    is_over boolean NOT NULL,
    tournament_id character varying(10) NOT NULL,
    CONSTRAINT lobby_round_number_check CHECK ((number >= 0))
);
ALTER TABLE public.lobby_round ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_round_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_seek (
    id character varying(10) NOT NULL,
    game character varying(40) NOT NULL,
    clock character varying(7) NOT NULL,
    by_address boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    match_id character varying(10),
    player_id bigint NOT NULL,
    answers integer DEFAULT 0 NOT NULL,
    asks integer DEFAULT 0 NOT NULL,
    options character varying(64) DEFAULT ''::character varying NOT NULL,
    rated boolean DEFAULT false NOT NULL,
    highest smallint DEFAULT 4000 NOT NULL,
    lowest smallint DEFAULT 0 NOT NULL,
    group_id character varying(10),
    CONSTRAINT lobby_seek_answers_check CHECK ((answers >= 0)),
    CONSTRAINT lobby_seek_asks_check CHECK ((asks >= 0)),
    CONSTRAINT lobby_seek_highest_check CHECK ((highest >= 0)),
    CONSTRAINT lobby_seek_lowest_check CHECK ((lowest >= 0))
);
CREATE TABLE public.lobby_series (
    id character varying(10) NOT NULL,
    name character varying(60) NOT NULL,
    every_days smallint NOT NULL,
    best smallint NOT NULL,
    length smallint NOT NULL,
    next_at timestamp with time zone,
    rounds smallint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    group_id character varying(10),
    organiser_id bigint,
    CONSTRAINT lobby_series_best_check CHECK ((best >= 0)),
    CONSTRAINT lobby_series_every_days_check CHECK ((every_days >= 0)),
    CONSTRAINT lobby_series_length_check CHECK ((length >= 0)),
    CONSTRAINT lobby_series_rounds_check CHECK ((rounds >= 0))
);
CREATE TABLE public.lobby_server (
    id character varying(10) NOT NULL,
    online integer NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT lobby_server_online_check CHECK ((online >= 0))
);
CREATE TABLE public.lobby_signin (
    id bigint NOT NULL,
    device character varying(80) NOT NULL,
    at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_signin ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_signin_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_tally (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    computer boolean NOT NULL,
    won integer NOT NULL,
    lost integer NOT NULL,
    drawn integer NOT NULL,
    "none" integer NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_tally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_tally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_token (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    hash character varying(64) NOT NULL,
    scopes character varying(120) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone,
    stream character varying(16) NOT NULL,
    player_id bigint NOT NULL,
    application character varying(280) DEFAULT ''::character varying NOT NULL
);
ALTER TABLE public.lobby_token ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lobby_tournament (
    id character varying(10) NOT NULL,
    name character varying(60) NOT NULL,
    about character varying(2000) NOT NULL,
    kind character varying(11) NOT NULL,
    game character varying(40) NOT NULL,
    clock character varying(7) NOT NULL,
    options character varying(64) NOT NULL,
    rated boolean NOT NULL,
    rounds smallint NOT NULL,
    is_double boolean NOT NULL,
    minutes smallint NOT NULL,
    best_of smallint NOT NULL,
    third_place boolean NOT NULL,
    tie_breaks character varying(120) NOT NULL,
    registration character varying(10) NOT NULL,
    code character varying(16),
    guests boolean NOT NULL,
    lowest smallint NOT NULL,
    highest smallint NOT NULL,
    most smallint NOT NULL,
    opens_at timestamp with time zone,
    check_in_minutes smallint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    pace character varying(5) NOT NULL,
    round_minutes smallint NOT NULL,
    late_minutes smallint NOT NULL,
    number smallint,
    state character varying(12) NOT NULL,
    paused_at timestamp with time zone,
    round smallint NOT NULL,
    pairings integer NOT NULL,
    made_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ends_at timestamp with time zone,
    ended_at timestamp with time zone,
    version integer NOT NULL,
    due_at timestamp with time zone,
    group_id character varying(10),
    organiser_id bigint,
    series_id character varying(10),
    CONSTRAINT lobby_tournament_best_of_check CHECK ((best_of >= 0)),
    CONSTRAINT lobby_tournament_check_in_minutes_check CHECK ((check_in_minutes >= 0)),
    CONSTRAINT lobby_tournament_highest_check CHECK ((highest >= 0)),
    CONSTRAINT lobby_tournament_late_minutes_check CHECK ((late_minutes >= 0)),
    CONSTRAINT lobby_tournament_lowest_check CHECK ((lowest >= 0)),
    CONSTRAINT lobby_tournament_minutes_check CHECK ((minutes >= 0)),
    CONSTRAINT lobby_tournament_most_check CHECK ((most >= 0)),
    CONSTRAINT lobby_tournament_number_check CHECK ((number >= 0)),
    CONSTRAINT lobby_tournament_pairings_check CHECK ((pairings >= 0)),
    CONSTRAINT lobby_tournament_round_check CHECK ((round >= 0)),
    CONSTRAINT lobby_tournament_round_minutes_check CHECK ((round_minutes >= 0)),
    CONSTRAINT lobby_tournament_rounds_check CHECK ((rounds >= 0)),
    CONSTRAINT lobby_tournament_version_check CHECK ((version >= 0))
);
CREATE TABLE public.lobby_webhook (
    id bigint NOT NULL,
    address character varying(500) NOT NULL,
    of_games boolean NOT NULL,
    of_tournaments boolean NOT NULL,
    secret character varying(255) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    heard_at timestamp with time zone,
    failing_since timestamp with time zone,
    off_at timestamp with time zone,
    player_id bigint NOT NULL
);
ALTER TABLE public.lobby_webhook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lobby_webhook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mfa_authenticator (
    id bigint NOT NULL,
    type character varying(20) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE public.mfa_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mfa_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.usersessions_usersession (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ip inet NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    session_key character varying(40) NOT NULL,
    user_agent character varying(200) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.usersessions_usersession ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.usersessions_usersession_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.auth_group VALUES (1, 'organiser');
INSERT INTO public.auth_group VALUES (2, 'reviewer');
INSERT INTO public.auth_group VALUES (3, 'senior reviewer');
INSERT INTO public.auth_group_permissions VALUES (1, 1, 69);
INSERT INTO public.auth_group_permissions VALUES (2, 2, 97);
INSERT INTO public.auth_group_permissions VALUES (3, 2, 98);
INSERT INTO public.auth_group_permissions VALUES (4, 2, 66);
INSERT INTO public.auth_group_permissions VALUES (5, 2, 65);
INSERT INTO public.auth_group_permissions VALUES (6, 2, 70);
INSERT INTO public.auth_group_permissions VALUES (7, 2, 71);
INSERT INTO public.auth_group_permissions VALUES (8, 2, 79);
INSERT INTO public.auth_group_permissions VALUES (9, 2, 83);
INSERT INTO public.auth_group_permissions VALUES (10, 2, 88);
INSERT INTO public.auth_group_permissions VALUES (11, 2, 89);
INSERT INTO public.auth_group_permissions VALUES (12, 2, 94);
INSERT INTO public.auth_group_permissions VALUES (13, 2, 95);
INSERT INTO public.auth_group_permissions VALUES (14, 3, 96);
INSERT INTO public.auth_group_permissions VALUES (15, 3, 97);
INSERT INTO public.auth_group_permissions VALUES (16, 3, 98);
INSERT INTO public.auth_group_permissions VALUES (17, 3, 66);
INSERT INTO public.auth_group_permissions VALUES (18, 3, 65);
INSERT INTO public.auth_group_permissions VALUES (19, 3, 70);
INSERT INTO public.auth_group_permissions VALUES (20, 3, 71);
INSERT INTO public.auth_group_permissions VALUES (21, 3, 79);
INSERT INTO public.auth_group_permissions VALUES (22, 3, 83);
INSERT INTO public.auth_group_permissions VALUES (23, 3, 88);
INSERT INTO public.auth_group_permissions VALUES (24, 3, 89);
INSERT INTO public.auth_group_permissions VALUES (25, 3, 94);
INSERT INTO public.auth_group_permissions VALUES (26, 3, 95);
INSERT INTO public.auth_permission VALUES (1, 'Can add log entry', 1, 'add_logentry');
INSERT INTO public.auth_permission VALUES (2, 'Can change log entry', 1, 'change_logentry');
INSERT INTO public.auth_permission VALUES (3, 'Can delete log entry', 1, 'delete_logentry');
INSERT INTO public.auth_permission VALUES (4, 'Can view log entry', 1, 'view_logentry');
INSERT INTO public.auth_permission VALUES (5, 'Can add permission', 2, 'add_permission');
INSERT INTO public.auth_permission VALUES (6, 'Can change permission', 2, 'change_permission');
INSERT INTO public.auth_permission VALUES (7, 'Can delete permission', 2, 'delete_permission');
INSERT INTO public.auth_permission VALUES (8, 'Can view permission', 2, 'view_permission');
INSERT INTO public.auth_permission VALUES (9, 'Can add group', 3, 'add_group');
INSERT INTO public.auth_permission VALUES (10, 'Can change group', 3, 'change_group');
INSERT INTO public.auth_permission VALUES (11, 'Can delete group', 3, 'delete_group');
INSERT INTO public.auth_permission VALUES (12, 'Can view group', 3, 'view_group');
INSERT INTO public.auth_permission VALUES (13, 'Can add content type', 4, 'add_contenttype');
INSERT INTO public.auth_permission VALUES (14, 'Can change content type', 4, 'change_contenttype');
INSERT INTO public.auth_permission VALUES (15, 'Can delete content type', 4, 'delete_contenttype');
INSERT INTO public.auth_permission VALUES (16, 'Can view content type', 4, 'view_contenttype');
INSERT INTO public.auth_permission VALUES (17, 'Can add session', 5, 'add_session');
INSERT INTO public.auth_permission VALUES (18, 'Can change session', 5, 'change_session');
INSERT INTO public.auth_permission VALUES (19, 'Can delete session', 5, 'delete_session');
INSERT INTO public.auth_permission VALUES (20, 'Can view session', 5, 'view_session');
INSERT INTO public.auth_permission VALUES (21, 'Can add email address', 6, 'add_emailaddress');
INSERT INTO public.auth_permission VALUES (22, 'Can change email address', 6, 'change_emailaddress');
INSERT INTO public.auth_permission VALUES (23, 'Can delete email address', 6, 'delete_emailaddress');
INSERT INTO public.auth_permission VALUES (24, 'Can view email address', 6, 'view_emailaddress');
INSERT INTO public.auth_permission VALUES (25, 'Can add email confirmation', 7, 'add_emailconfirmation');
INSERT INTO public.auth_permission VALUES (26, 'Can change email confirmation', 7, 'change_emailconfirmation');
INSERT INTO public.auth_permission VALUES (27, 'Can delete email confirmation', 7, 'delete_emailconfirmation');
INSERT INTO public.auth_permission VALUES (28, 'Can view email confirmation', 7, 'view_emailconfirmation');
INSERT INTO public.auth_permission VALUES (29, 'Can add authenticator', 8, 'add_authenticator');
INSERT INTO public.auth_permission VALUES (30, 'Can change authenticator', 8, 'change_authenticator');
INSERT INTO public.auth_permission VALUES (31, 'Can delete authenticator', 8, 'delete_authenticator');
INSERT INTO public.auth_permission VALUES (32, 'Can view authenticator', 8, 'view_authenticator');
INSERT INTO public.auth_permission VALUES (33, 'Can add user session', 9, 'add_usersession');
INSERT INTO public.auth_permission VALUES (34, 'Can change user session', 9, 'change_usersession');
INSERT INTO public.auth_permission VALUES (35, 'Can delete user session', 9, 'delete_usersession');
INSERT INTO public.auth_permission VALUES (36, 'Can view user session', 9, 'view_usersession');
INSERT INTO public.auth_permission VALUES (37, 'Can add server', 10, 'add_server');
INSERT INTO public.auth_permission VALUES (38, 'Can change server', 10, 'change_server');
INSERT INTO public.auth_permission VALUES (39, 'Can delete server', 10, 'delete_server');
INSERT INTO public.auth_permission VALUES (40, 'Can view server', 10, 'view_server');
INSERT INTO public.auth_permission VALUES (41, 'Can add user', 11, 'add_player');
INSERT INTO public.auth_permission VALUES (42, 'Can change user', 11, 'change_player');
INSERT INTO public.auth_permission VALUES (43, 'Can delete user', 11, 'delete_player');
INSERT INTO public.auth_permission VALUES (44, 'Can view user', 11, 'view_player');
INSERT INTO public.auth_permission VALUES (45, 'Can add seek', 12, 'add_seek');
INSERT INTO public.auth_permission VALUES (46, 'Can change seek', 12, 'change_seek');
INSERT INTO public.auth_permission VALUES (47, 'Can delete seek', 12, 'delete_seek');
INSERT INTO public.auth_permission VALUES (48, 'Can view seek', 12, 'view_seek');
INSERT INTO public.auth_permission VALUES (49, 'Can add recovery words', 13, 'add_recoverywords');
INSERT INTO public.auth_permission VALUES (50, 'Can change recovery words', 13, 'change_recoverywords');
INSERT INTO public.auth_permission VALUES (51, 'Can delete recovery words', 13, 'delete_recoverywords');
INSERT INTO public.auth_permission VALUES (52, 'Can view recovery words', 13, 'view_recoverywords');
INSERT INTO public.auth_permission VALUES (53, 'Can add device', 14, 'add_device');
INSERT INTO public.auth_permission VALUES (54, 'Can change device', 14, 'change_device');
INSERT INTO public.auth_permission VALUES (55, 'Can delete device', 14, 'delete_device');
INSERT INTO public.auth_permission VALUES (56, 'Can view device', 14, 'view_device');
INSERT INTO public.auth_permission VALUES (57, 'Can add factor reset', 15, 'add_factorreset');
INSERT INTO public.auth_permission VALUES (58, 'Can change factor reset', 15, 'change_factorreset');
INSERT INTO public.auth_permission VALUES (59, 'Can delete factor reset', 15, 'delete_factorreset');
INSERT INTO public.auth_permission VALUES (60, 'Can view factor reset', 15, 'view_factorreset');
INSERT INTO public.auth_permission VALUES (61, 'Can add sign in', 16, 'add_signin');
INSERT INTO public.auth_permission VALUES (62, 'Can change sign in', 16, 'change_signin');
INSERT INTO public.auth_permission VALUES (63, 'Can delete sign in', 16, 'delete_signin');
INSERT INTO public.auth_permission VALUES (64, 'Can view sign in', 16, 'view_signin');
INSERT INTO public.auth_permission VALUES (65, 'Can view appeal', 17, 'view_appeal');
INSERT INTO public.auth_permission VALUES (66, 'Can change appeal', 17, 'change_appeal');
INSERT INTO public.auth_permission VALUES (67, 'Can view class or club', 34, 'view_group');
INSERT INTO public.auth_permission VALUES (68, 'Can change class or club', 34, 'change_group');
INSERT INTO public.auth_permission VALUES (69, 'Can run groups and make accounts for their members', 34, 'organise');
INSERT INTO public.auth_permission VALUES (70, 'Can view tournament', 41, 'view_tournament');
INSERT INTO public.auth_permission VALUES (71, 'Can change tournament', 41, 'change_tournament');
INSERT INTO public.auth_permission VALUES (72, 'Can add attendance', 49, 'add_attendance');
INSERT INTO public.auth_permission VALUES (73, 'Can change attendance', 49, 'change_attendance');
INSERT INTO public.auth_permission VALUES (74, 'Can delete attendance', 49, 'delete_attendance');
INSERT INTO public.auth_permission VALUES (75, 'Can view attendance', 49, 'view_attendance');
INSERT INTO public.auth_permission VALUES (76, 'Can add game', 50, 'add_match');
INSERT INTO public.auth_permission VALUES (77, 'Can change game', 50, 'change_match');
INSERT INTO public.auth_permission VALUES (78, 'Can delete game', 50, 'delete_match');
INSERT INTO public.auth_permission VALUES (79, 'Can view game', 50, 'view_match');
INSERT INTO public.auth_permission VALUES (80, 'Can add move', 51, 'add_move');
INSERT INTO public.auth_permission VALUES (81, 'Can change move', 51, 'change_move');
INSERT INTO public.auth_permission VALUES (82, 'Can delete move', 51, 'delete_move');
INSERT INTO public.auth_permission VALUES (83, 'Can view move', 51, 'view_move');
INSERT INTO public.auth_permission VALUES (84, 'Can add pulse', 52, 'add_pulse');
INSERT INTO public.auth_permission VALUES (85, 'Can change pulse', 52, 'change_pulse');
INSERT INTO public.auth_permission VALUES (86, 'Can delete pulse', 52, 'delete_pulse');
INSERT INTO public.auth_permission VALUES (87, 'Can view pulse', 52, 'view_pulse');
INSERT INTO public.auth_permission VALUES (88, 'Can view report', 53, 'view_case');
INSERT INTO public.auth_permission VALUES (89, 'Can take and close reports', 53, 'handle');
INSERT INTO public.auth_permission VALUES (90, 'Can add connection', 54, 'add_connection');
INSERT INTO public.auth_permission VALUES (91, 'Can change connection', 54, 'change_connection');
INSERT INTO public.auth_permission VALUES (92, 'Can delete connection', 54, 'delete_connection');
INSERT INTO public.auth_permission VALUES (93, 'Can view connection', 54, 'view_connection');
INSERT INTO public.auth_permission VALUES (94, 'Can view decision', 55, 'view_decision');
INSERT INTO public.auth_permission VALUES (95, 'Can decide on matches and players', 55, 'decide');
INSERT INTO public.auth_permission VALUES (96, 'Can reverse a decision', 55, 'reverse');
INSERT INTO public.auth_permission VALUES (97, 'Can view report', 57, 'view_report');
INSERT INTO public.auth_permission VALUES (98, 'Can view sign', 58, 'view_sign');
INSERT INTO public.auth_permission VALUES (99, 'Can add analysis', 59, 'add_analysis');
INSERT INTO public.auth_permission VALUES (100, 'Can change analysis', 59, 'change_analysis');
INSERT INTO public.auth_permission VALUES (101, 'Can delete analysis', 59, 'delete_analysis');
INSERT INTO public.auth_permission VALUES (102, 'Can view analysis', 59, 'view_analysis');
INSERT INTO public.auth_permission VALUES (103, 'Can add watch', 60, 'add_watch');
INSERT INTO public.auth_permission VALUES (104, 'Can change watch', 60, 'change_watch');
INSERT INTO public.auth_permission VALUES (105, 'Can delete watch', 60, 'delete_watch');
INSERT INTO public.auth_permission VALUES (106, 'Can view watch', 60, 'view_watch');
INSERT INTO public.auth_permission VALUES (107, 'Can add outage', 61, 'add_outage');
INSERT INTO public.auth_permission VALUES (108, 'Can change outage', 61, 'change_outage');
INSERT INTO public.auth_permission VALUES (109, 'Can delete outage', 61, 'delete_outage');
INSERT INTO public.auth_permission VALUES (110, 'Can view outage', 61, 'view_outage');
INSERT INTO public.auth_permission VALUES (111, 'Can add caller', 62, 'add_caller');
INSERT INTO public.auth_permission VALUES (112, 'Can change caller', 62, 'change_caller');
INSERT INTO public.auth_permission VALUES (113, 'Can delete caller', 62, 'delete_caller');
INSERT INTO public.auth_permission VALUES (114, 'Can view caller', 62, 'view_caller');
INSERT INTO public.auth_permission VALUES (115, 'Can view event', 63, 'view_event');
INSERT INTO public.django_content_type VALUES (1, 'admin', 'logentry');
INSERT INTO public.django_content_type VALUES (2, 'auth', 'permission');
INSERT INTO public.django_content_type VALUES (3, 'auth', 'group');
INSERT INTO public.django_content_type VALUES (4, 'contenttypes', 'contenttype');
INSERT INTO public.django_content_type VALUES (5, 'sessions', 'session');
INSERT INTO public.django_content_type VALUES (6, 'account', 'emailaddress');
INSERT INTO public.django_content_type VALUES (7, 'account', 'emailconfirmation');
INSERT INTO public.django_content_type VALUES (8, 'mfa', 'authenticator');
INSERT INTO public.django_content_type VALUES (9, 'usersessions', 'usersession');
INSERT INTO public.django_content_type VALUES (10, 'lobby', 'server');
INSERT INTO public.django_content_type VALUES (11, 'lobby', 'player');
INSERT INTO public.django_content_type VALUES (12, 'lobby', 'seek');
INSERT INTO public.django_content_type VALUES (13, 'lobby', 'recoverywords');
INSERT INTO public.django_content_type VALUES (14, 'lobby', 'device');
INSERT INTO public.django_content_type VALUES (15, 'lobby', 'factorreset');
INSERT INTO public.django_content_type VALUES (16, 'lobby', 'signin');
INSERT INTO public.django_content_type VALUES (17, 'lobby', 'appeal');
INSERT INTO public.django_content_type VALUES (18, 'lobby', 'formername');
INSERT INTO public.django_content_type VALUES (19, 'lobby', 'historymark');
INSERT INTO public.django_content_type VALUES (20, 'lobby', 'preferences');
INSERT INTO public.django_content_type VALUES (21, 'lobby', 'adoption');
INSERT INTO public.django_content_type VALUES (22, 'lobby', 'block');
INSERT INTO public.django_content_type VALUES (23, 'lobby', 'challenge');
INSERT INTO public.django_content_type VALUES (24, 'lobby', 'played');
INSERT INTO public.django_content_type VALUES (25, 'lobby', 'tally');
INSERT INTO public.django_content_type VALUES (26, 'lobby', 'ratingspread');
INSERT INTO public.django_content_type VALUES (27, 'lobby', 'recount');
INSERT INTO public.django_content_type VALUES (28, 'lobby', 'roleadvantage');
INSERT INTO public.django_content_type VALUES (29, 'lobby', 'ratedgame');
INSERT INTO public.django_content_type VALUES (30, 'lobby', 'rating');
INSERT INTO public.django_content_type VALUES (31, 'lobby', 'pool');
INSERT INTO public.django_content_type VALUES (32, 'lobby', 'levelrating');
INSERT INTO public.django_content_type VALUES (33, 'lobby', 'computergame');
INSERT INTO public.django_content_type VALUES (34, 'lobby', 'group');
INSERT INTO public.django_content_type VALUES (35, 'lobby', 'groupgame');
INSERT INTO public.django_content_type VALUES (36, 'lobby', 'making');
INSERT INTO public.django_content_type VALUES (37, 'lobby', 'member');
INSERT INTO public.django_content_type VALUES (38, 'lobby', 'entry');
INSERT INTO public.django_content_type VALUES (39, 'lobby', 'pairing');
INSERT INTO public.django_content_type VALUES (40, 'lobby', 'series');
INSERT INTO public.django_content_type VALUES (41, 'lobby', 'tournament');
INSERT INTO public.django_content_type VALUES (42, 'lobby', 'round');
INSERT INTO public.django_content_type VALUES (43, 'lobby', 'logline');
INSERT INTO public.django_content_type VALUES (44, 'lobby', 'accuracy');
INSERT INTO public.django_content_type VALUES (45, 'lobby', 'token');
INSERT INTO public.django_content_type VALUES (46, 'lobby', 'authorizationcode');
INSERT INTO public.django_content_type VALUES (47, 'lobby', 'webhook');
INSERT INTO public.django_content_type VALUES (48, 'lobby', 'delivery');
INSERT INTO public.django_content_type VALUES (49, 'games', 'attendance');
INSERT INTO public.django_content_type VALUES (50, 'games', 'match');
INSERT INTO public.django_content_type VALUES (51, 'games', 'move');
INSERT INTO public.django_content_type VALUES (52, 'games', 'pulse');
INSERT INTO public.django_content_type VALUES (53, 'games', 'case');
INSERT INTO public.django_content_type VALUES (54, 'games', 'connection');
INSERT INTO public.django_content_type VALUES (55, 'games', 'decision');
INSERT INTO public.django_content_type VALUES (56, 'games', 'notice');
INSERT INTO public.django_content_type VALUES (57, 'games', 'report');
INSERT INTO public.django_content_type VALUES (58, 'games', 'sign');
INSERT INTO public.django_content_type VALUES (59, 'games', 'analysis');
INSERT INTO public.django_content_type VALUES (60, 'games', 'watch');
INSERT INTO public.django_content_type VALUES (61, 'games', 'outage');
INSERT INTO public.django_content_type VALUES (62, 'games', 'caller');
INSERT INTO public.django_content_type VALUES (63, 'games', 'event');
INSERT INTO public.django_content_type VALUES (64, 'games', 'signsearch');
INSERT INTO public.django_content_type VALUES (65, 'games', 'assignment');
INSERT INTO public.django_content_type VALUES (66, 'games', 'note');
INSERT INTO public.django_content_type VALUES (67, 'games', 'positionlook');
INSERT INTO public.django_content_type VALUES (68, 'games', 'loghead');
INSERT INTO public.django_content_type VALUES (69, 'games', 'signingkey');
INSERT INTO public.django_content_type VALUES (70, 'games', 'lognode');
INSERT INTO public.django_content_type VALUES (71, 'games', 'logwish');
INSERT INTO public.django_content_type VALUES (72, 'games', 'logentry');
INSERT INTO public.django_migrations VALUES (1, 'games', '0001_initial', '2026-11-23 22:21:42.283203+00');
INSERT INTO public.django_migrations VALUES (2, 'contenttypes', '0001_initial', '2026-11-23 22:21:42.308616+00');
INSERT INTO public.django_migrations VALUES (3, 'contenttypes', '0002_remove_content_type_name', '2026-11-23 22:21:42.373839+00');
INSERT INTO public.django_migrations VALUES (4, 'auth', '0001_initial', '2026-11-23 22:21:42.499768+00');
INSERT INTO public.django_migrations VALUES (5, 'auth', '0002_alter_permission_name_max_length', '2026-11-23 22:21:42.538539+00');
INSERT INTO public.django_migrations VALUES (6, 'auth', '0003_alter_user_email_max_length', '2026-11-23 22:21:42.563603+00');
INSERT INTO public.django_migrations VALUES (7, 'auth', '0004_alter_user_username_opts', '2026-11-23 22:21:42.58421+00');
INSERT INTO public.django_migrations VALUES (8, 'auth', '0005_alter_user_last_login_null', '2026-11-23 22:21:42.610628+00');
INSERT INTO public.django_migrations VALUES (9, 'auth', '0006_require_contenttypes_0002', '2026-11-23 22:21:42.611993+00');
INSERT INTO public.django_migrations VALUES (10, 'auth', '0007_alter_validators_add_error_messages', '2026-11-23 22:21:42.619776+00');
INSERT INTO public.django_migrations VALUES (11, 'auth', '0008_alter_user_username_max_length', '2026-11-23 22:21:42.647864+00');
INSERT INTO public.django_migrations VALUES (12, 'auth', '0009_alter_user_last_name_max_length', '2026-11-23 22:21:42.664808+00');
INSERT INTO public.django_migrations VALUES (13, 'auth', '0010_alter_group_name_max_length', '2026-11-23 22:21:42.694208+00');
INSERT INTO public.django_migrations VALUES (14, 'auth', '0011_update_proxy_permissions', '2026-11-23 22:21:42.723289+00');
INSERT INTO public.django_migrations VALUES (15, 'auth', '0012_alter_user_first_name_max_length', '2026-11-23 22:21:42.752436+00');
INSERT INTO public.django_migrations VALUES (16, 'lobby', '0001_initial', '2026-11-23 22:21:42.938971+00');
INSERT INTO public.django_migrations VALUES (17, 'account', '0001_initial', '2026-11-23 22:21:43.071659+00');
INSERT INTO public.django_migrations VALUES (18, 'account', '0002_email_max_length', '2026-11-23 22:21:43.115429+00');
INSERT INTO public.django_migrations VALUES (19, 'account', '0003_alter_emailaddress_create_unique_verified_email', '2026-11-23 22:21:43.185696+00');
INSERT INTO public.django_migrations VALUES (20, 'account', '0004_alter_emailaddress_drop_unique_email', '2026-11-23 22:21:43.258436+00');
INSERT INTO public.django_migrations VALUES (21, 'account', '0005_emailaddress_idx_upper_email', '2026-11-23 22:21:43.303164+00');
INSERT INTO public.django_migrations VALUES (22, 'account', '0006_emailaddress_lower', '2026-11-23 22:21:43.3725+00');
INSERT INTO public.django_migrations VALUES (23, 'account', '0007_emailaddress_idx_email', '2026-11-23 22:21:43.471336+00');
INSERT INTO public.django_migrations VALUES (24, 'account', '0008_emailaddress_unique_primary_email_fixup', '2026-11-23 22:21:43.540571+00');
INSERT INTO public.django_migrations VALUES (25, 'account', '0009_emailaddress_unique_primary_email', '2026-11-23 22:21:43.699085+00');
INSERT INTO public.django_migrations VALUES (26, 'admin', '0001_initial', '2026-11-23 22:21:43.770349+00');
INSERT INTO public.django_migrations VALUES (27, 'admin', '0002_logentry_remove_auto_add', '2026-11-23 22:21:43.807831+00');
INSERT INTO public.django_migrations VALUES (28, 'admin', '0003_logentry_add_action_flag_choices', '2026-11-23 22:21:43.8537+00');
INSERT INTO public.django_migrations VALUES (29, 'lobby', '0002_computer', '2026-11-23 22:21:43.91548+00');
INSERT INTO public.django_migrations VALUES (30, 'lobby', '0003_confirm', '2026-11-23 22:21:44.006593+00');
INSERT INTO public.django_migrations VALUES (31, 'lobby', '0004_name_key', '2026-11-23 22:21:44.199813+00');
INSERT INTO public.django_migrations VALUES (32, 'games', '0002_initial', '2026-11-23 22:21:44.990145+00');
INSERT INTO public.django_migrations VALUES (33, 'games', '0003_clocks', '2026-11-23 22:21:45.298688+00');
INSERT INTO public.django_migrations VALUES (34, 'games', '0004_review', '2026-11-23 22:21:48.655283+00');
INSERT INTO public.django_migrations VALUES (35, 'games', '0005_digests', '2026-11-23 22:21:48.766201+00');
INSERT INTO public.django_migrations VALUES (36, 'games', '0006_lighter_indexes', '2026-11-23 22:21:49.199489+00');
INSERT INTO public.django_migrations VALUES (37, 'games', '0007_one_index_less', '2026-11-23 22:21:49.316109+00');
INSERT INTO public.django_migrations VALUES (38, 'games', '0008_computer', '2026-11-23 22:21:49.642707+00');
INSERT INTO public.django_migrations VALUES (39, 'games', '0009_analysis', '2026-11-23 22:21:49.782648+00');
INSERT INTO public.django_migrations VALUES (40, 'games', '0010_watch', '2026-11-23 22:21:49.785442+00');
INSERT INTO public.django_migrations VALUES (41, 'games', '0011_time', '2026-11-23 22:21:50.084882+00');
INSERT INTO public.django_migrations VALUES (42, 'games', '0012_epoch', '2026-11-23 22:21:50.102757+00');
INSERT INTO public.django_migrations VALUES (43, 'games', '0013_callers', '2026-11-23 22:21:50.442118+00');
INSERT INTO public.django_migrations VALUES (44, 'games', '0014_disputes', '2026-11-23 22:21:50.944673+00');
INSERT INTO public.django_migrations VALUES (45, 'games', '0015_setup', '2026-11-23 22:21:51.09517+00');
INSERT INTO public.django_migrations VALUES (46, 'games', '0016_events', '2026-11-23 22:21:51.207142+00');
INSERT INTO public.django_migrations VALUES (47, 'lobby', '0005_setup', '2026-11-23 22:21:51.566549+00');
INSERT INTO public.django_migrations VALUES (48, 'lobby', '0006_another_name', '2026-11-23 22:21:51.673933+00');
INSERT INTO public.django_migrations VALUES (49, 'games', '0017_sign_searches', '2026-11-23 22:21:51.809104+00');
INSERT INTO public.django_migrations VALUES (50, 'games', '0018_moderators', '2026-11-23 22:21:55.10744+00');
INSERT INTO public.django_migrations VALUES (51, 'games', '0019_live_games_of_a_player', '2026-11-23 22:21:55.393904+00');
INSERT INTO public.django_migrations VALUES (52, 'games', '0020_new_name', '2026-11-23 22:21:55.494164+00');
INSERT INTO public.django_migrations VALUES (53, 'games', '0021_rating_signs', '2026-11-23 22:21:55.600347+00');
INSERT INTO public.django_migrations VALUES (54, 'games', '0022_reversed_analyses', '2026-11-23 22:21:55.706728+00');
INSERT INTO public.django_migrations VALUES (55, 'games', '0023_arranged', '2026-11-23 22:21:55.890252+00');
INSERT INTO public.django_migrations VALUES (56, 'games', '0024_positions', '2026-11-23 22:21:55.913489+00');
INSERT INTO public.django_migrations VALUES (57, 'games', '0025_record_log', '2026-11-23 22:21:57.523132+00');
INSERT INTO public.django_migrations VALUES (58, 'games', '0026_uncertain_boxes', '2026-11-23 22:21:57.66762+00');
INSERT INTO public.django_migrations VALUES (59, 'lobby', '0007_one_screen', '2026-11-23 22:21:57.86645+00');
INSERT INTO public.django_migrations VALUES (60, 'lobby', '0008_accounts', '2026-11-23 22:21:58.515996+00');
INSERT INTO public.django_migrations VALUES (61, 'lobby', '0009_aliases', '2026-11-23 22:22:00.945585+00');
INSERT INTO public.django_migrations VALUES (62, 'lobby', '0010_players', '2026-11-23 22:22:02.326334+00');
INSERT INTO public.django_migrations VALUES (63, 'lobby', '0011_ratings', '2026-11-23 22:22:02.794314+00');
INSERT INTO public.django_migrations VALUES (64, 'lobby', '0012_pool', '2026-11-23 22:22:03.915085+00');
INSERT INTO public.django_migrations VALUES (65, 'lobby', '0013_computer_ratings', '2026-11-23 22:22:04.215036+00');
INSERT INTO public.django_migrations VALUES (66, 'lobby', '0014_groups', '2026-11-23 22:22:09.008914+00');
INSERT INTO public.django_migrations VALUES (67, 'lobby', '0015_tournaments', '2026-11-23 22:22:14.310145+00');
INSERT INTO public.django_migrations VALUES (68, 'lobby', '0016_accuracy', '2026-11-23 22:22:14.767332+00');
INSERT INTO public.django_migrations VALUES (69, 'lobby', '0017_tokens', '2026-11-23 22:22:15.337481+00');
INSERT INTO public.django_migrations VALUES (70, 'lobby', '0018_archived', '2026-11-23 22:22:15.537744+00');
INSERT INTO public.django_migrations VALUES (71, 'lobby', '0019_oauth', '2026-11-23 22:22:16.184404+00');
INSERT INTO public.django_migrations VALUES (72, 'lobby', '0020_webhooks', '2026-11-23 22:22:16.635785+00');
INSERT INTO public.django_migrations VALUES (73, 'lobby', '0021_own_sign_in', '2026-11-23 22:22:16.890252+00');
INSERT INTO public.django_migrations VALUES (74, 'mfa', '0001_initial', '2026-11-23 22:22:17.114132+00');
INSERT INTO public.django_migrations VALUES (75, 'mfa', '0002_authenticator_timestamps', '2026-11-23 22:22:17.736159+00');
INSERT INTO public.django_migrations VALUES (76, 'mfa', '0003_authenticator_type_uniq', '2026-11-23 22:22:18.515694+00');
INSERT INTO public.django_migrations VALUES (77, 'sessions', '0001_initial', '2026-11-23 22:22:18.545479+00');
INSERT INTO public.django_migrations VALUES (78, 'usersessions', '0001_initial', '2026-11-23 22:22:18.786386+00');
INSERT INTO public.django_session VALUES ('tnsg19xjp0swhgkp2updtavnxq3oeb4u', '.eJxVjEEOwiAQRe_C2pChUKa4dO8ZCAyDVA0kpV0Z765NutDtf-_9l_BhW4vfOi9-TuIslDj9bjHQg-sO0j3UW5PU6rrMUe6KPGiX15b4eTncv4MSevnWoJ3lIRuV0Q4AjidkUmzNRETICbNOkbM2FkbLo0HtCLSBqAJZCCjeH9j0N6U:1xVcQc:fWUUs3GkoqEp8qrxcJp_k8lh_CIM-QS2Qw5TNW5x6zk', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('uwb3f9dcjvpl5xttnz8ltf70gcc4fk21', '.eJxVjDkOwjAURO_iGlneE1PS5wzWXxwcQI4UJxXi7shSCihn3pt5iwTHXtLR8pYWFldhxOW3Q6Bnrh3wA-p9lbTWfVtQdkWetMlp5fy6ne7fQYFW-lqPAzuFykJW3hBTHLMbHM0MwWoTAbTSYFFrJutnb2JAF7BnZciKzxfngDfT:1xVcQc:wT1wGbRei9_Hq8FuhQQLqyuyFeWd3Uo4jP0XaRYnYWE', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('qcgpey6ejdmbqodhh48jngq9rfdpu441', '.eJxVjMsOwiAQRf-FtSFQ3i7d-w1kBgapGkhKuzL-uzbpQrf3nHNfLMK21rgNWuKc2ZkpdvrdENKD2g7yHdqt89TbuszId4UfdPBrz_S8HO7fQYVRvzVqNxWvg8sGgpDeBEfeKAw0JQEWQPnkRS6CnMyukPYOrFQopSUlNbL3B9MsN34:1xVcQc:gTGetYGpdws_0YgFcHBXjzdFMGc1rS0QzqWTww0YIVw', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('vpv3ei2raqt1z9h5gykycdkejrkhhaaa', '.eJxVjMsOwiAQRf-FtSFQ3i7d-w1kBgapGkhKuzL-uzbpQrf3nHNfLMK21rgNWuKc2ZlpdvrdENKD2g7yHdqt89TbuszId4UfdPBrz_S8HO7fQYVRv7WXLiQhyJkEHrEUrdFJaZXXplhFKhebJpShgFNSeyMChaQKQraTIMveH999N94:1xVcQc:p_ezS3LcSfephzFfS3qnQaogqai1yiUm2EUnKim5ULc', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('qhepmljqkl1ip6tgau0ztxs5wu2bl66d', '.eJxVjMsOwiAQRf-FtSG8ZVy69xsIw4BUDSSlXRn_3TbpQrf3nHPfLMR1qWEdeQ4TsQuz7PS7YUzP3HZAj9junafelnlCviv8oIPfOuXX9XD_DmocdauNVtaqCFKCVeSdOBNGj4ZIkyJRhM8ACH5TtBTSERadoGTwxbhEyD5fyV035A:1xVcQd:iPpuRDZgTKiMlzldPcjMUCJtjncViMW-uQTBK23h6n0', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('gp6wslx1df36m107gbk6hztg65nprrgg', '.eJxVjDsOwjAQBe_iGll2HP8o6TmDtetd4wBypDipEHeHSCmgfTPzXiLBtta0dV7SROIsnDj9bgj5wW0HdId2m2We27pMKHdFHrTL60z8vBzu30GFXr81es2KrQVTACkPHCGWQNFqcM4Ui86rAY0yRARYgtPOKvA8Bi5oxyjeHwiOOJo:1xVcQd:w981Qf6jZ96z31Vv-S2HTUBZoX5LXpShc9Oub_p0wOU', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('z91aruwg3tp55h8eagiprn2oev9ompuu', '.eJxVjEEOwiAQRe_C2hAHKIMu3fcMZGBAqgaS0q6MdzckXej2v_f-W3jat-L3nla_sLgKFKffLVB8pjoAP6jem4ytbusS5FDkQbucG6fX7XD_Dgr1MurgkEEnRMXGsQPQFHVEQrROo8poiBHipM6O8wRAhKRDvlgLJhCIzxfdvjek:1xVcQd:C7Vkk2n2KuLFP_m07PjA-Z6tExojuhVTwU7Uj13WlsU', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('rlqywpvxxbiiy3v3ool86nzin9l9dydd', '.eJxVjMsOwiAQRf-FtSGDDC-X7vsNBBiQqoGktCvjv2uTLnR7zzn3xXzY1uq3kRc_E7swy06_WwzpkdsO6B7arfPU27rMke8KP-jgU6f8vB7u30ENo35rTAhFoHEJzkZTJtIWtMtGRlUMQECXitIYBIoogawRVishjUxSgyjs_QHKfja3:1xVcQd:cM0UqCEyhuEAMRaA_SFXU-0t4ouReLULB7XiXvnK4t0', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('cndwfs7pytscwhdpz92wptie6z5x2nfb', '.eJxVjEEOwiAQRe_C2pAZKBVcuvcMZBgmUjWQlHZlvLsh6UK3_7333yrSvpW4d1njktVFBXX63RLxU-oA-UH13jS3uq1L0kPRB-361rK8rof7d1Col1FT8iKTOC-zs4AZLRBj8Gd06AXBkJvZEwkSsmWkQJNxYAxACi6rzxfm5zd9:1xVcQe:OcqySUVoXRrXx7Yf3HEJepZJK4NzswojYPo6rSBNvUM', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('awvxlnhnlqfxqzk31qoyxcg1hoyaizko', '.eJxVjMsOwiAQRf-FtSFAOzxcuvcbCDMMUjU0Ke3K-O_apAvd3nPOfYmYtrXGrfMSpyzOQitx-h0x0YPbTvI9tdssaW7rMqHcFXnQLq9z5uflcP8Oaur1W48jKFIByGIxxUDOlo3XXBgdOg44WG_JA-XBazAJwHsObB0ZDZqceH8ACfQ37Q:1xVcQe:VK29sEuQEf2RtRSEbi3k3pnwfBM_8kh4w939heZA98c', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('2sdto7lxegyc5u0v31g1i2dw8q4n4ssp', '.eJxVjMsOwiAQRf-FtSHycsCl-34DGZhBqoYmpV0Z_92QdKHbe865bxFx32rcO69xJnEVSonT75gwP7kNQg9s90XmpW3rnORQ5EG7nBbi1-1w_w4q9jpqz-WCJZEF9M6fCR0YsMqRdqA0lODQh5SDzSZnRdp70sSKbUlgDIvPFxaPOHg:1xVcQe:fpFKvXqBzPGjKNJCid6OFZg8fL8FIRyVSfYO990SpUc', '2100-01-01 00:00:00+00');
INSERT INTO public.django_session VALUES ('h0qpmpdbwts5wtfta8l81l55k3in6cfr', '.eJxVjEEOwiAQRe_C2hCYDkVcuvcMZAamUjUlKe3KeHdD0oWufvLfy3urSPtW4t5kjXNWF2VBnX5PpvSUpZP8oOVedarLts6su6IP2vStZnldD_cvUKiV3k2SwLABFoQBPITsAzg3GSEDkoiAEbGvT2iYvT8P4qy1UxhHZPX5AgWXN90:1xVcQe:ZYl0Nfv485b-NvHqXZw4BlK2MBwheT5CzImdGkdGULE', '2100-01-01 00:00:00+00');
INSERT INTO public.games_attendance VALUES (1, 'Yy3Jk6r3Tj', '2026-11-23 22:22:26.718123+00', '2026-11-23 22:22:26.717534+00', 0, '2026-11-23 22:22:27.181259+00', 'JHhBAenFh7');
INSERT INTO public.games_attendance VALUES (3, 'Yy3Jk6r3Tj', '2026-11-23 22:22:27.054827+00', '2026-11-23 22:22:27.054497+00', 0, '2026-11-23 22:22:27.181259+00', 'Lf9ngDVNyC');
INSERT INTO public.games_attendance VALUES (7, 'Yy3Jk6r3Tj', '2026-11-23 22:22:27.454638+00', '2026-11-23 22:22:27.454251+00', 0, '2026-11-23 22:22:27.693832+00', 'dq3uWCVzVD');
INSERT INTO public.games_attendance VALUES (10, 'Yy3Jk6r3Tj', '2026-11-23 22:22:27.883438+00', '2026-11-23 22:22:27.886095+00', 0, '2026-11-23 22:22:28.273974+00', '68DGMNe5C6');
INSERT INTO public.games_attendance VALUES (13, 'Yy3Jk6r3Tj', '2026-11-23 22:22:28.632045+00', '2026-11-23 22:22:28.626678+00', 0, '2026-11-23 22:22:28.795128+00', '6jNAANHWvt');
INSERT INTO public.games_attendance VALUES (16, 'Yy3Jk6r3Tj', '2026-11-23 22:22:29.562297+00', '2026-11-23 22:22:29.526856+00', 0, '2026-11-23 22:22:29.526856+00', '4Jpad5US4T');
INSERT INTO public.games_connection VALUES (1, 1, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:26.674325+00', '2026-11-23 22:22:26.717543+00', '2026-11-23 22:22:26.717553+00', 'JHhBAenFh7');
INSERT INTO public.games_connection VALUES (2, 0, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:26.699528+00', '2026-11-23 22:22:26.718128+00', '2026-11-23 22:22:26.718133+00', 'JHhBAenFh7');
INSERT INTO public.games_connection VALUES (3, 1, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.036065+00', '2026-11-23 22:22:27.054506+00', '2026-11-23 22:22:27.054516+00', 'Lf9ngDVNyC');
INSERT INTO public.games_connection VALUES (4, 0, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.043386+00', '2026-11-23 22:22:27.05483+00', '2026-11-23 22:22:27.054834+00', 'Lf9ngDVNyC');
INSERT INTO public.games_connection VALUES (5, 1, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.422526+00', '2026-11-23 22:22:27.454258+00', '2026-11-23 22:22:27.454268+00', 'dq3uWCVzVD');
INSERT INTO public.games_connection VALUES (6, 0, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.446138+00', '2026-11-23 22:22:27.45464+00', '2026-11-23 22:22:27.454644+00', 'dq3uWCVzVD');
INSERT INTO public.games_connection VALUES (7, 0, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.787607+00', '2026-11-23 22:22:27.883446+00', '2026-11-23 22:22:27.883456+00', '68DGMNe5C6');
INSERT INTO public.games_connection VALUES (8, 1, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:27.80561+00', '2026-11-23 22:22:27.886101+00', '2026-11-23 22:22:27.88611+00', '68DGMNe5C6');
INSERT INTO public.games_connection VALUES (9, 1, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:28.530458+00', '2026-11-23 22:22:28.626684+00', '2026-11-23 22:22:28.626694+00', '6jNAANHWvt');
INSERT INTO public.games_connection VALUES (10, 0, 'Yy3Jk6r3Tj', 'b0851b324efc0469', '2026-11-23 22:22:28.570632+00', '2026-11-23 22:22:28.632051+00', '2026-11-23 22:22:28.63206+00', '6jNAANHWvt');
INSERT INTO public.games_event VALUES (1, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:26.569353+00', NULL, 0, 'JHhBAenFh7');
INSERT INTO public.games_event VALUES (2, 5, 'ended', 'rules', 100, 0, '2026-11-23 22:22:26.712408+00', NULL, 0, 'JHhBAenFh7');
INSERT INTO public.games_event VALUES (3, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:27.000978+00', NULL, 0, 'Lf9ngDVNyC');
INSERT INTO public.games_event VALUES (4, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:27.335188+00', NULL, 0, 'dq3uWCVzVD');
INSERT INTO public.games_event VALUES (5, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:27.722747+00', NULL, 0, '68DGMNe5C6');
INSERT INTO public.games_event VALUES (6, 5, 'ended', 'resignation', 0, 100, '2026-11-23 22:22:27.871347+00', NULL, 0, '68DGMNe5C6');
INSERT INTO public.games_event VALUES (7, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:28.431469+00', NULL, 0, '6jNAANHWvt');
INSERT INTO public.games_event VALUES (8, 0, 'began', '', NULL, NULL, '2026-11-23 22:22:29.320849+00', NULL, 0, '4Jpad5US4T');
INSERT INTO public.games_logentry VALUES (0, '28e3c712a1688ddabbefcf9789ad4e0d452a36640b5a9a483165dc31511d6096', '2026-11-23 22:22:28.126246+00', 'JHhBAenFh7');
INSERT INTO public.games_logentry VALUES (1, '92112415148b654fbefe68c2d315a74ec494c2f8fa6126ccc3e3466a645c522d', '2026-11-23 22:22:29.193246+00', '68DGMNe5C6');
INSERT INTO public.games_loghead VALUES (1, 2);
INSERT INTO public.games_match VALUES ('JHhBAenFh7', 'tic-tac-toe', 'over', 'rules', 100, 0, 5, 5, 'xxxoo....', 'mark 1 3', 3, NULL, NULL, NULL, '2026-11-23 22:22:26.569353+00', '2026-11-23 22:22:26.712408+00', '2026-11-23 22:22:26.700565+00', '2026-11-23 22:22:26.712408+00', 2, NULL, 1, '', NULL, NULL, NULL, '46df65f5883e5f74628d7efd7c20f628', '241ab95351f7f73a866f74c0b5408a17', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_match VALUES ('Lf9ngDVNyC', 'tic-tac-toe', 'live', '', NULL, NULL, 4, 4, 'ox..x..o.', 'mark 3 2', 3, NULL, NULL, NULL, '2026-11-23 22:22:27.000978+00', '2026-11-23 22:22:27.051608+00', '2026-11-23 22:22:27.044116+00', NULL, 4, NULL, 3, '', NULL, NULL, NULL, '51adf83876da422648a1ba8d66c35814', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_match VALUES ('dq3uWCVzVD', 'parallel-tic-tac-toe', 'live', '', NULL, NULL, 2, 2, 'x...o..../o...x....', 'mark 2 2 1 1', 3, NULL, NULL, NULL, '2026-11-23 22:22:27.335188+00', '2026-11-23 22:22:27.451496+00', '2026-11-23 22:22:27.446967+00', NULL, 6, NULL, 5, '', NULL, NULL, NULL, '65c13836b1fb6f13bf28055457d7cad3', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_match VALUES ('68DGMNe5C6', 'dots-and-boxes', 'over', 'resignation', 0, 100, 4, 5, '80b/0/1/o', 'draw 1 2 2 2', 3, NULL, NULL, NULL, '2026-11-23 22:22:27.722747+00', '2026-11-23 22:22:27.862559+00', '2026-11-23 22:22:27.814324+00', '2026-11-23 22:22:27.871347+00', 7, NULL, 8, '', NULL, NULL, NULL, 'b99e60871dbdf179e896361529cc1f82', '2690253aa1726cf949b79ebde3d042f4', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_match VALUES ('6jNAANHWvt', 'six-in-a-row', 'live', '', NULL, NULL, 4, 4, '10000800000000000000000000000000000/8000000000000000000000000000000000/2', 'pick black', 3, NULL, NULL, NULL, '2026-11-23 22:22:28.431469+00', '2026-11-23 22:22:28.619327+00', '2026-11-23 22:22:28.571373+00', NULL, 10, NULL, 9, '', NULL, NULL, NULL, '6b34683f4052092ca147842af701d88d', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_match VALUES ('4Jpad5US4T', 'tic-tac-toe', 'live', '', NULL, NULL, 2, 2, 'o...x....', 'mark 1 1', 3, NULL, NULL, NULL, '2026-11-23 22:22:29.320849+00', '2026-11-23 22:22:29.587065+00', '2026-11-23 22:22:29.575419+00', NULL, 12, NULL, 11, '3+2', '2026-11-23 22:25:31.333065+00', 181746, 181989, 'b4705085d60498559eebda89eb213dca', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', false, false, NULL);
INSERT INTO public.games_move VALUES (1, 0, 'xplayer', 'mark 1 1', '2026-11-23 22:22:26.700565+00', 131, 'JHhBAenFh7');
INSERT INTO public.games_move VALUES (2, 1, 'oplayer', 'mark 2 1', '2026-11-23 22:22:26.704958+00', 4, 'JHhBAenFh7');
INSERT INTO public.games_move VALUES (3, 2, 'xplayer', 'mark 1 2', '2026-11-23 22:22:26.707685+00', 2, 'JHhBAenFh7');
INSERT INTO public.games_move VALUES (4, 3, 'oplayer', 'mark 2 2', '2026-11-23 22:22:26.710232+00', 2, 'JHhBAenFh7');
INSERT INTO public.games_move VALUES (5, 4, 'xplayer', 'mark 1 3', '2026-11-23 22:22:26.712408+00', 2, 'JHhBAenFh7');
INSERT INTO public.games_move VALUES (6, 0, 'xplayer', 'mark 2 2', '2026-11-23 22:22:27.044116+00', 43, 'Lf9ngDVNyC');
INSERT INTO public.games_move VALUES (7, 1, 'oplayer', 'mark 1 1', '2026-11-23 22:22:27.046829+00', 2, 'Lf9ngDVNyC');
INSERT INTO public.games_move VALUES (8, 2, 'xplayer', 'mark 1 2', '2026-11-23 22:22:27.049134+00', 2, 'Lf9ngDVNyC');
INSERT INTO public.games_move VALUES (9, 3, 'oplayer', 'mark 3 2', '2026-11-23 22:22:27.051608+00', 2, 'Lf9ngDVNyC');
INSERT INTO public.games_move VALUES (10, 0, 'xplayer', 'mark 1 1 2 2', '2026-11-23 22:22:27.446967+00', 111, 'dq3uWCVzVD');
INSERT INTO public.games_move VALUES (11, 1, 'oplayer', 'mark 2 2 1 1', '2026-11-23 22:22:27.451496+00', 4, 'dq3uWCVzVD');
INSERT INTO public.games_move VALUES (12, 0, 'xplayer', 'draw 1 1 1 2', '2026-11-23 22:22:27.814324+00', 91, '68DGMNe5C6');
INSERT INTO public.games_move VALUES (13, 1, 'oplayer', 'draw 1 1 2 1', '2026-11-23 22:22:27.833999+00', 19, '68DGMNe5C6');
INSERT INTO public.games_move VALUES (14, 2, 'xplayer', 'draw 2 1 2 2', '2026-11-23 22:22:27.855104+00', 21, '68DGMNe5C6');
INSERT INTO public.games_move VALUES (15, 3, 'oplayer', 'draw 1 2 2 2', '2026-11-23 22:22:27.862559+00', 7, '68DGMNe5C6');
INSERT INTO public.games_move VALUES (16, 0, 'player1', 'place 8 8', '2026-11-23 22:22:28.571373+00', 139, '6jNAANHWvt');
INSERT INTO public.games_move VALUES (17, 1, 'player1', 'place 8 9', '2026-11-23 22:22:28.582034+00', 10, '6jNAANHWvt');
INSERT INTO public.games_move VALUES (18, 2, 'player1', 'place 9 9', '2026-11-23 22:22:28.598007+00', 15, '6jNAANHWvt');
INSERT INTO public.games_move VALUES (19, 3, 'player2', 'pick black', '2026-11-23 22:22:28.619327+00', 21, '6jNAANHWvt');
INSERT INTO public.games_move VALUES (20, 0, 'xplayer', 'mark 2 2', '2026-11-23 22:22:29.575419+00', 254, '4Jpad5US4T');
INSERT INTO public.games_move VALUES (21, 1, 'oplayer', 'mark 1 1', '2026-11-23 22:22:29.587065+00', 11, '4Jpad5US4T');
INSERT INTO public.games_pulse VALUES (1, '2026-11-23 22:22:29.494412+00', '2026-11-23 22:22:25.790171+00', 'scHfzQHnfW');
INSERT INTO public.games_signingkey VALUES (1, 'localhost:20001/log+e9f6d1b6+AROdk32POO8yYoC45blfEvIR6XVULPyG2ikPvsUGwoAW', '2026-11-23 22:22:29.662929+00');
INSERT INTO public.games_signsearch VALUES ('JHhBAenFh7', '2026-11-23 22:22:27.155679+00', '2026-11-23 22:22:27.155679+00');
INSERT INTO public.games_signsearch VALUES ('68DGMNe5C6', '2026-11-23 22:22:28.266157+00', '2026-11-23 22:22:28.266157+00');
INSERT INTO public.games_watch VALUES (1, '2026-11-23 22:22:25.827934+00');
INSERT INTO public.lobby_played VALUES (1, 0, 'tic-tac-toe', 'won', 0, false, '2026-11-23 22:22:26.712408+00', 'JHhBAenFh7', 1, 2);
INSERT INTO public.lobby_played VALUES (2, 1, 'tic-tac-toe', 'lost', 0, false, '2026-11-23 22:22:26.712408+00', 'JHhBAenFh7', 2, 1);
INSERT INTO public.lobby_played VALUES (3, 0, 'dots-and-boxes', 'lost', 0, false, '2026-11-23 22:22:27.871347+00', '68DGMNe5C6', 8, 7);
INSERT INTO public.lobby_played VALUES (4, 1, 'dots-and-boxes', 'won', 0, false, '2026-11-23 22:22:27.871347+00', '68DGMNe5C6', 7, 8);
INSERT INTO public.lobby_player VALUES (1, '!olfTw2a0OwQicTgjSgk6VZ6TJPgiJ9h2o4rCLzMz', '2026-11-23 22:22:26.080598+00', false, '', false, true, '2026-11-23 22:22:26.052082+00', 'Jolly Caracal', true, NULL, 'jollycaracal', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (2, '!mB3us9vibYM40NT0qoAmTCpWp3U6xztS6w7fYgQE', '2026-11-23 22:22:26.235086+00', false, '', false, true, '2026-11-23 22:22:26.166719+00', 'Heroic Bison', true, NULL, 'herolcblson', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (3, '!yO5VLQ2p3mMHpMpEqMxtLWTxVisaPmtTymRbT4yk', '2026-11-23 22:22:26.785723+00', false, '', false, true, '2026-11-23 22:22:26.780846+00', 'Bubbly Kite', true, NULL, 'bubblyklte', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (4, '!BYce3oRDwmckWINCJQXyTdO5bQTPzWIOUSkOQurs', '2026-11-23 22:22:26.895205+00', false, '', false, true, '2026-11-23 22:22:26.863959+00', 'Kindly Leopard', true, NULL, 'klndlyleopard', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (5, '!xaHkZ8ddJYrNoM9Dkl9ADhrnnQXZ9l4yn139ZPkV', '2026-11-23 22:22:27.112011+00', false, '', false, true, '2026-11-23 22:22:27.107568+00', 'Ideal Pony', true, NULL, 'ldealpony', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (6, '!MxTzlmdR3W5U2NwoYGkII8OAKhDUZ8F4vpxE3DD0', '2026-11-23 22:22:27.187991+00', false, '', false, true, '2026-11-23 22:22:27.172534+00', 'Witty Plover', true, NULL, 'wlttyplover', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (7, '!tmIATJSQId4bh83qBn7rPXWFw1GNkYcUGxworsH2', '2026-11-23 22:22:27.506579+00', false, '', false, true, '2026-11-23 22:22:27.49546+00', 'Sunny Perch', true, NULL, 'sunnyperch', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (8, '!1oCkLIPThSMcBLuaxI9AAaVMFy2FmQxaBaIm11w8', '2026-11-23 22:22:27.564204+00', false, '', false, true, '2026-11-23 22:22:27.556373+00', 'Handy Swan', true, NULL, 'handyswan', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (9, '!DpmRBQjdYIbOdsau7skhodbFp8mOACpYC9KYvId6', '2026-11-23 22:22:28.014843+00', false, '', false, true, '2026-11-23 22:22:27.987344+00', 'Steady Oriole', true, NULL, 'steadyorlole', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (10, '!1HS2miCjSfGOrfbH25mipMzmqKFqWfVRG7cIVJnC', '2026-11-23 22:22:28.148433+00', false, '', false, true, '2026-11-23 22:22:28.123156+00', 'Mighty Emu', true, NULL, 'mlghtyemu', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (11, '!Y46HiLLk9TJTGEdJil8Rxr6WXTlYJkKM08N7gATP', '2026-11-23 22:22:28.743735+00', false, '', false, true, '2026-11-23 22:22:28.725588+00', 'Steady Koala', true, NULL, 'steadykoala', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_player VALUES (12, '!flQ1gc1IvLlgz8ORvULNCyWppWIGcLcivGwvHVkS', '2026-11-23 22:22:28.908853+00', false, '', false, true, '2026-11-23 22:22:28.891972+00', 'Good Mammoth', true, NULL, 'goodmammoth', false, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, false);
INSERT INTO public.lobby_ratingspread VALUES ('parallel-tic-tac-toe', '{}', '2026-11-23 22:22:26.290578+00');
INSERT INTO public.lobby_ratingspread VALUES ('dots-and-boxes', '{}', '2026-11-23 22:22:26.290578+00');
INSERT INTO public.lobby_ratingspread VALUES ('six-in-a-row', '{}', '2026-11-23 22:22:26.290578+00');
INSERT INTO public.lobby_roleadvantage VALUES (1, 'parallel-tic-tac-toe', 0, 0, '2026-11-23 22:23:26.067317+00');
INSERT INTO public.lobby_roleadvantage VALUES (2, 'dots-and-boxes', 0, 0, '2026-11-23 22:23:26.067317+00');
INSERT INTO public.lobby_seek VALUES ('AJSeY9bxZw', 'tic-tac-toe', '', false, '2026-11-23 22:22:26.373088+00', '2026-11-23 22:22:26.373088+00', 'JHhBAenFh7', 1, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('KfbYEq34kz', 'tic-tac-toe', '', false, '2026-11-23 22:22:26.461984+00', '2026-11-23 22:22:26.461984+00', 'JHhBAenFh7', 2, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('cV72s4dDqi', 'tic-tac-toe', '', false, '2026-11-23 22:22:26.956091+00', '2026-11-23 22:22:26.956091+00', 'Lf9ngDVNyC', 3, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('pfCU94qtsb', 'tic-tac-toe', '', false, '2026-11-23 22:22:26.967603+00', '2026-11-23 22:22:26.967603+00', 'Lf9ngDVNyC', 4, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('vwKaqdg6sP', 'parallel-tic-tac-toe', '', false, '2026-11-23 22:22:27.278993+00', '2026-11-23 22:22:27.278993+00', 'dq3uWCVzVD', 5, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('jBiqf2a4Dp', 'parallel-tic-tac-toe', '', false, '2026-11-23 22:22:27.29307+00', '2026-11-23 22:22:27.29307+00', 'dq3uWCVzVD', 6, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('dxCMrPdnbN', 'dots-and-boxes', '', false, '2026-11-23 22:22:27.623901+00', '2026-11-23 22:22:27.623901+00', '68DGMNe5C6', 7, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('8uccRYiGpT', 'dots-and-boxes', '', false, '2026-11-23 22:22:27.657258+00', '2026-11-23 22:22:27.657258+00', '68DGMNe5C6', 8, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('SLqTanqh97', 'six-in-a-row', '', false, '2026-11-23 22:22:28.294892+00', '2026-11-23 22:22:28.294892+00', '6jNAANHWvt', 9, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('yqNuc4ryTN', 'six-in-a-row', '', false, '2026-11-23 22:22:28.338995+00', '2026-11-23 22:22:28.338995+00', '6jNAANHWvt', 10, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('EwGB9KxFV5', 'tic-tac-toe', '3+2', false, '2026-11-23 22:22:29.09803+00', '2026-11-23 22:22:29.09803+00', '4Jpad5US4T', 11, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_seek VALUES ('3GbuY7bqJQ', 'tic-tac-toe', '3+2', false, '2026-11-23 22:22:29.154065+00', '2026-11-23 22:22:29.154065+00', '4Jpad5US4T', 12, 0, 0, '', false, 4000, 0, NULL);
INSERT INTO public.lobby_server VALUES ('Yy3Jk6r3Tj', 1, '2026-11-23 22:22:29.022281+00');
INSERT INTO public.lobby_tally VALUES (1, 'tic-tac-toe', false, 0, 1, 0, 0, 1);
INSERT INTO public.lobby_tally VALUES (2, 'tic-tac-toe', false, 1, 0, 0, 0, 2);
INSERT INTO public.lobby_tally VALUES (3, 'dots-and-boxes', false, 0, 1, 0, 0, 7);
INSERT INTO public.lobby_tally VALUES (4, 'dots-and-boxes', false, 1, 0, 0, 0, 8);
SELECT pg_catalog.setval('public.account_emailaddress_id_seq', 1, false);
SELECT pg_catalog.setval('public.account_emailconfirmation_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_group_id_seq', 3, true);
SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 26, true);
SELECT pg_catalog.setval('public.auth_permission_id_seq', 115, true);
SELECT pg_catalog.setval('public.django_admin_log_id_seq', 1, false);
SELECT pg_catalog.setval('public.django_content_type_id_seq', 72, true);
SELECT pg_catalog.setval('public.django_migrations_id_seq', 78, true);
SELECT pg_catalog.setval('public.games_attendance_id_seq', 17, true);
SELECT pg_catalog.setval('public.games_case_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_connection_id_seq', 10, true);
SELECT pg_catalog.setval('public.games_decision_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_event_id_seq', 8, true);
SELECT pg_catalog.setval('public.games_loghead_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_lognode_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_logwish_id_seq', 2, true);
SELECT pg_catalog.setval('public.games_move_id_seq', 21, true);
SELECT pg_catalog.setval('public.games_note_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_notice_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_outage_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_positionlook_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_pulse_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_report_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_sign_id_seq', 1, false);
SELECT pg_catalog.setval('public.games_signingkey_id_seq', 1, true);
SELECT pg_catalog.setval('public.games_watch_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_accuracy_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_appeal_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_authorizationcode_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_block_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_device_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_entry_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_factorreset_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_formername_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_groupgame_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_historymark_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_levelrating_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_logline_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_making_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_member_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_pairing_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_played_id_seq', 4, true);
SELECT pg_catalog.setval('public.lobby_player_groups_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_player_id_seq', 12, true);
SELECT pg_catalog.setval('public.lobby_player_user_permissions_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_pool_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_ratedgame_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_rating_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_recoverywords_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_roleadvantage_id_seq', 2, true);
SELECT pg_catalog.setval('public.lobby_round_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_signin_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_tally_id_seq', 4, true);
SELECT pg_catalog.setval('public.lobby_token_id_seq', 1, false);
SELECT pg_catalog.setval('public.lobby_webhook_id_seq', 1, false);
SELECT pg_catalog.setval('public.mfa_authenticator_id_seq', 1, false);
SELECT pg_catalog.setval('public.usersessions_usersession_id_seq', 1, false);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_delivery
    ADD CONSTRAINT delivered_once UNIQUE (hook_id, event);
ALTER TABLE ONLY public.lobby_device
    ADD CONSTRAINT device_once UNIQUE (player_id, token);
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY public.lobby_entry
    ADD CONSTRAINT entered_once UNIQUE (tournament_id, player_id);
ALTER TABLE ONLY public.games_analysis
    ADD CONSTRAINT games_analysis_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY public.games_assignment
    ADD CONSTRAINT games_assignment_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.games_attendance
    ADD CONSTRAINT games_attendance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_caller
    ADD CONSTRAINT games_caller_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.games_case
    ADD CONSTRAINT games_case_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_connection
    ADD CONSTRAINT games_connection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_reverses_id_key UNIQUE (reverses_id);
ALTER TABLE ONLY public.games_event
    ADD CONSTRAINT games_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_logentry
    ADD CONSTRAINT games_logentry_pkey PRIMARY KEY (index);
ALTER TABLE ONLY public.games_loghead
    ADD CONSTRAINT games_loghead_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_lognode
    ADD CONSTRAINT games_lognode_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_logwish
    ADD CONSTRAINT games_logwish_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_match
    ADD CONSTRAINT games_match_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_match
    ADD CONSTRAINT games_match_rematch_id_key UNIQUE (rematch_id);
ALTER TABLE ONLY public.games_move
    ADD CONSTRAINT games_move_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_note
    ADD CONSTRAINT games_note_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_notice
    ADD CONSTRAINT games_notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_outage
    ADD CONSTRAINT games_outage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_positionlook
    ADD CONSTRAINT games_positionlook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_pulse
    ADD CONSTRAINT games_pulse_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_report
    ADD CONSTRAINT games_report_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_sign
    ADD CONSTRAINT games_sign_key_key UNIQUE (key);
ALTER TABLE ONLY public.games_sign
    ADD CONSTRAINT games_sign_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_signingkey
    ADD CONSTRAINT games_signingkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games_signingkey
    ADD CONSTRAINT games_signingkey_text_key UNIQUE (text);
ALTER TABLE ONLY public.games_signsearch
    ADD CONSTRAINT games_signsearch_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY public.games_watch
    ADD CONSTRAINT games_watch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_groupgame
    ADD CONSTRAINT group_game_once UNIQUE (group_id, match_id);
ALTER TABLE ONLY public.lobby_accuracy
    ADD CONSTRAINT lobby_accuracy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_adoption
    ADD CONSTRAINT lobby_adoption_pkey PRIMARY KEY (guest_id);
ALTER TABLE ONLY public.lobby_appeal
    ADD CONSTRAINT lobby_appeal_decision_id_key UNIQUE (decision_id);
ALTER TABLE ONLY public.lobby_appeal
    ADD CONSTRAINT lobby_appeal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_authorizationcode
    ADD CONSTRAINT lobby_authorizationcode_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.lobby_authorizationcode
    ADD CONSTRAINT lobby_authorizationcode_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_block
    ADD CONSTRAINT lobby_block_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_challenge
    ADD CONSTRAINT lobby_challenge_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_computergame
    ADD CONSTRAINT lobby_computergame_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY public.lobby_delivery
    ADD CONSTRAINT lobby_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_device
    ADD CONSTRAINT lobby_device_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_entry
    ADD CONSTRAINT lobby_entry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_factorreset
    ADD CONSTRAINT lobby_factorreset_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_formername
    ADD CONSTRAINT lobby_formername_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY public.lobby_formername
    ADD CONSTRAINT lobby_formername_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_group
    ADD CONSTRAINT lobby_group_code_key UNIQUE (code);
ALTER TABLE ONLY public.lobby_group
    ADD CONSTRAINT lobby_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_groupgame
    ADD CONSTRAINT lobby_groupgame_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_historymark
    ADD CONSTRAINT lobby_historymark_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_levelrating
    ADD CONSTRAINT lobby_levelrating_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_logline
    ADD CONSTRAINT lobby_logline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_making
    ADD CONSTRAINT lobby_making_key_key UNIQUE (key);
ALTER TABLE ONLY public.lobby_making
    ADD CONSTRAINT lobby_making_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_member
    ADD CONSTRAINT lobby_member_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_match_id_key UNIQUE (match_id);
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_played
    ADD CONSTRAINT lobby_played_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_beside_id_key UNIQUE (beside_id);
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_bot_level_key UNIQUE (bot_level);
ALTER TABLE ONLY public.lobby_player_groups
    ADD CONSTRAINT lobby_player_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_player_groups
    ADD CONSTRAINT lobby_player_groups_player_id_group_id_ece2f8f3_uniq UNIQUE (player_id, group_id);
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_player_user_permissions
    ADD CONSTRAINT lobby_player_user_permis_player_id_permission_id_98ee8555_uniq UNIQUE (player_id, permission_id);
ALTER TABLE ONLY public.lobby_player_user_permissions
    ADD CONSTRAINT lobby_player_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_username_key UNIQUE (username);
ALTER TABLE ONLY public.lobby_pool
    ADD CONSTRAINT lobby_pool_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_preferences
    ADD CONSTRAINT lobby_preferences_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.lobby_ratedgame
    ADD CONSTRAINT lobby_ratedgame_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_rating
    ADD CONSTRAINT lobby_rating_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_ratingspread
    ADD CONSTRAINT lobby_ratingspread_pkey PRIMARY KEY (game);
ALTER TABLE ONLY public.lobby_recount
    ADD CONSTRAINT lobby_recount_pkey PRIMARY KEY (game);
ALTER TABLE ONLY public.lobby_recoverywords
    ADD CONSTRAINT lobby_recoverywords_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_recoverywords
    ADD CONSTRAINT lobby_recoverywords_player_id_key UNIQUE (player_id);
ALTER TABLE ONLY public.lobby_roleadvantage
    ADD CONSTRAINT lobby_roleadvantage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_round
    ADD CONSTRAINT lobby_round_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_seek
    ADD CONSTRAINT lobby_seek_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_series
    ADD CONSTRAINT lobby_series_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_server
    ADD CONSTRAINT lobby_server_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_signin
    ADD CONSTRAINT lobby_signin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_tally
    ADD CONSTRAINT lobby_tally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_token
    ADD CONSTRAINT lobby_token_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.lobby_token
    ADD CONSTRAINT lobby_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT lobby_tournament_code_key UNIQUE (code);
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT lobby_tournament_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_webhook
    ADD CONSTRAINT lobby_webhook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_member
    ADD CONSTRAINT member_once UNIQUE (group_id, player_id);
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lobby_accuracy
    ADD CONSTRAINT one_accuracy UNIQUE (match_id, player_id);
ALTER TABLE ONLY public.lobby_roleadvantage
    ADD CONSTRAINT one_advantage_then UNIQUE (game, at);
ALTER TABLE ONLY public.games_attendance
    ADD CONSTRAINT one_attendance_per_server UNIQUE (match_id, server);
ALTER TABLE ONLY public.lobby_block
    ADD CONSTRAINT one_block UNIQUE (by_id, whom_id);
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT one_decision_at_a_time_per_player UNIQUE (player_id, number);
ALTER TABLE ONLY public.games_event
    ADD CONSTRAINT one_event_per_version UNIQUE (match_id, version);
ALTER TABLE ONLY public.games_lognode
    ADD CONSTRAINT one_hash_per_node UNIQUE (level, index);
ALTER TABLE ONLY public.lobby_played
    ADD CONSTRAINT one_history_of_a_seat UNIQUE (match_id, seat);
ALTER TABLE ONLY public.lobby_levelrating
    ADD CONSTRAINT one_level_rating UNIQUE (game, level);
ALTER TABLE ONLY public.games_positionlook
    ADD CONSTRAINT one_look_per_position UNIQUE (game, notation);
ALTER TABLE ONLY public.games_move
    ADD CONSTRAINT one_move_per_ply UNIQUE (match_id, ply);
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT one_of_a_series UNIQUE (series_id, number);
ALTER TABLE ONLY public.lobby_pool
    ADD CONSTRAINT one_pool_of_a_kind UNIQUE (game, clock, options);
ALTER TABLE ONLY public.lobby_rating
    ADD CONSTRAINT one_rating UNIQUE (player_id, game);
ALTER TABLE ONLY public.lobby_ratedgame
    ADD CONSTRAINT one_rating_of_a_game UNIQUE (key, revision);
ALTER TABLE ONLY public.games_report
    ADD CONSTRAINT one_report_each_per_case UNIQUE (case_id, by_id);
ALTER TABLE ONLY public.lobby_round
    ADD CONSTRAINT one_round UNIQUE (tournament_id, number);
ALTER TABLE ONLY public.lobby_tally
    ADD CONSTRAINT one_tally UNIQUE (player_id, game, computer);
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT paired_once UNIQUE (tournament_id, round, board, leg);
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_session_key_key UNIQUE (session_key);
CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);
CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);
CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);
CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);
CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);
CREATE INDEX accuracy_near_a_rating ON public.lobby_accuracy USING btree (game, band, at DESC);
CREATE INDEX accuracy_of_player ON public.lobby_accuracy USING btree (player_id, game, at DESC);
CREATE INDEX adoption_to_do ON public.lobby_adoption USING btree (guest_id) WHERE (NOT is_done);
CREATE INDEX analysis_due ON public.games_analysis USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX attendance_by_age ON public.games_attendance USING btree (seen_at);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX caller_by_address ON public.games_caller USING btree (address);
CREATE INDEX caller_by_age ON public.games_caller USING btree (at);
CREATE INDEX case_by_age ON public.games_case USING btree (opened_at, id);
CREATE INDEX challenge_by_age ON public.lobby_challenge USING btree (created_at);
CREATE INDEX challenge_by_challenger ON public.lobby_challenge USING btree (challenger_id);
CREATE INDEX challenge_by_end ON public.lobby_challenge USING btree (expires_at);
CREATE INDEX code_by_end ON public.lobby_authorizationcode USING btree (expires_at);
CREATE INDEX computer_games_of_a_level ON public.lobby_computergame USING btree (game, level, at DESC);
CREATE INDEX connection_by_address ON public.games_connection USING btree (address, opened_at DESC);
CREATE INDEX connection_by_age ON public.games_connection USING btree (opened_at);
CREATE INDEX decision_by_age ON public.games_decision USING btree (at DESC, id DESC);
CREATE INDEX delivery_done ON public.lobby_delivery USING btree (at) WHERE (due_at IS NULL);
CREATE INDEX delivery_due ON public.lobby_delivery USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX delivery_due_of_hook ON public.lobby_delivery USING btree (hook_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX delivery_given_up ON public.lobby_delivery USING btree (hook_id, at DESC) WHERE given_up;
CREATE INDEX device_by_age ON public.lobby_device USING btree (seen_at);
CREATE INDEX disputed_cases ON public.games_case USING btree (disputed_at) WHERE (disputed_at IS NOT NULL);
CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);
CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);
CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX entry_by_pairing ON public.lobby_entry USING btree (playing_id) WHERE (playing_id IS NOT NULL);
CREATE INDEX entry_of_player ON public.lobby_entry USING btree (player_id, id DESC);
CREATE INDEX entry_playing ON public.lobby_entry USING btree (player_id) WHERE (playing_id IS NOT NULL);
CREATE INDEX event_done ON public.games_event USING btree (at) WHERE (due_at IS NULL);
CREATE INDEX event_due ON public.games_event USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX factor_reset_newest ON public.lobby_factorreset USING btree (asked_at DESC);
CREATE INDEX former_name_by_age ON public.lobby_formername USING btree (until);
CREATE INDEX games_analysis_asked_by_id_ab11dbe4 ON public.games_analysis USING btree (asked_by_id);
CREATE INDEX games_analysis_match_id_0ded0ddd_like ON public.games_analysis USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_assignment_by_id_f7de7c11 ON public.games_assignment USING btree (by_id);
CREATE INDEX games_attendance_match_id_39ae633d ON public.games_attendance USING btree (match_id);
CREATE INDEX games_attendance_match_id_39ae633d_like ON public.games_attendance USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_case_closed_by_id_ce686c5d ON public.games_case USING btree (closed_by_id);
CREATE INDEX games_case_match_id_c2438cf2 ON public.games_case USING btree (match_id);
CREATE INDEX games_case_match_id_c2438cf2_like ON public.games_case USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_case_player_id_8fc0bfa9 ON public.games_case USING btree (player_id);
CREATE INDEX games_case_taken_by_id_afaa36ef ON public.games_case USING btree (taken_by_id);
CREATE INDEX games_connection_match_id_f9a069da ON public.games_connection USING btree (match_id);
CREATE INDEX games_connection_match_id_f9a069da_like ON public.games_connection USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_decision_by_id_b7da00e7 ON public.games_decision USING btree (by_id);
CREATE INDEX games_decision_match_id_8a8b35e4 ON public.games_decision USING btree (match_id);
CREATE INDEX games_decision_match_id_8a8b35e4_like ON public.games_decision USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_decision_player_id_7badf8ff ON public.games_decision USING btree (player_id);
CREATE INDEX games_match_first_id_47f1ae50 ON public.games_match USING btree (first_id);
CREATE INDEX games_match_id_2d0ceaf6_like ON public.games_match USING btree (id varchar_pattern_ops);
CREATE INDEX games_match_rematch_id_a45acbf9_like ON public.games_match USING btree (rematch_id varchar_pattern_ops);
CREATE INDEX games_match_second_id_f3551408 ON public.games_match USING btree (second_id);
CREATE INDEX games_note_by_id_7c08f9be ON public.games_note USING btree (by_id);
CREATE INDEX games_note_match_id_7eee8b05 ON public.games_note USING btree (match_id);
CREATE INDEX games_note_match_id_7eee8b05_like ON public.games_note USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_note_player_id_c3e9f9b3 ON public.games_note USING btree (player_id);
CREATE INDEX games_notice_match_id_f089829e ON public.games_notice USING btree (match_id);
CREATE INDEX games_notice_match_id_f089829e_like ON public.games_notice USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_notice_player_id_935ce6a2 ON public.games_notice USING btree (player_id);
CREATE INDEX games_report_by_id_e753e401 ON public.games_report USING btree (by_id);
CREATE INDEX games_report_case_id_57e4e232 ON public.games_report USING btree (case_id);
CREATE INDEX games_sign_key_598527b3_like ON public.games_sign USING btree (key varchar_pattern_ops);
CREATE INDEX games_sign_match_id_db34c722 ON public.games_sign USING btree (match_id);
CREATE INDEX games_sign_match_id_db34c722_like ON public.games_sign USING btree (match_id varchar_pattern_ops);
CREATE INDEX games_sign_player_id_57aeadce ON public.games_sign USING btree (player_id);
CREATE INDEX games_sign_seen_by_id_72aced76 ON public.games_sign USING btree (seen_by_id);
CREATE INDEX games_signingkey_text_6a299dfb_like ON public.games_signingkey USING btree (text varchar_pattern_ops);
CREATE INDEX games_signsearch_match_id_0f56d337_like ON public.games_signsearch USING btree (match_id varchar_pattern_ops);
CREATE INDEX group_game_live ON public.lobby_groupgame USING btree (group_id, id DESC) WHERE is_live;
CREATE INDEX group_game_newest ON public.lobby_groupgame USING btree (group_id, id DESC);
CREATE INDEX group_newest ON public.lobby_group USING btree (made_at DESC, id);
CREATE INDEX lobby_adoption_account_id_360f739a ON public.lobby_adoption USING btree (account_id);
CREATE INDEX lobby_appeal_answered_by_id_d208603b ON public.lobby_appeal USING btree (answered_by_id);
CREATE INDEX lobby_appeal_player_id_6783067f ON public.lobby_appeal USING btree (player_id);
CREATE INDEX lobby_authorizationcode_hash_b780a905_like ON public.lobby_authorizationcode USING btree (hash varchar_pattern_ops);
CREATE INDEX lobby_authorizationcode_player_id_f49c7106 ON public.lobby_authorizationcode USING btree (player_id);
CREATE INDEX lobby_authorizationcode_token_id_330cd5ce ON public.lobby_authorizationcode USING btree (token_id);
CREATE INDEX lobby_block_whom_id_af430ec0 ON public.lobby_block USING btree (whom_id);
CREATE INDEX lobby_challenge_challenged_id_75529ad3 ON public.lobby_challenge USING btree (challenged_id);
CREATE INDEX lobby_challenge_id_82d7fc2f_like ON public.lobby_challenge USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_challenge_match_id_1ce846cc ON public.lobby_challenge USING btree (match_id);
CREATE INDEX lobby_challenge_match_id_1ce846cc_like ON public.lobby_challenge USING btree (match_id varchar_pattern_ops);
CREATE INDEX lobby_computergame_match_id_b0dbe659_like ON public.lobby_computergame USING btree (match_id varchar_pattern_ops);
CREATE INDEX lobby_delivery_id_19256257_like ON public.lobby_delivery USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_device_player_id_adbe6670 ON public.lobby_device USING btree (player_id);
CREATE INDEX lobby_device_sign_in_id_7296fd86 ON public.lobby_device USING btree (sign_in_id);
CREATE INDEX lobby_factorreset_account_id_ef3abfb1 ON public.lobby_factorreset USING btree (account_id);
CREATE INDEX lobby_factorreset_asked_by_id_dacb171c ON public.lobby_factorreset USING btree (asked_by_id);
CREATE INDEX lobby_factorreset_confirmed_by_id_2b3d7f80 ON public.lobby_factorreset USING btree (confirmed_by_id);
CREATE INDEX lobby_formername_name_key_25ac095b_like ON public.lobby_formername USING btree (name_key varchar_pattern_ops);
CREATE INDEX lobby_formername_player_id_550fa31d ON public.lobby_formername USING btree (player_id);
CREATE INDEX lobby_group_code_c462cbe7_like ON public.lobby_group USING btree (code varchar_pattern_ops);
CREATE INDEX lobby_group_id_980cb0a1_like ON public.lobby_group USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_group_organiser_id_4ecaeb67 ON public.lobby_group USING btree (organiser_id);
CREATE INDEX lobby_groupgame_match_id_63d96bff ON public.lobby_groupgame USING btree (match_id);
CREATE INDEX lobby_groupgame_match_id_63d96bff_like ON public.lobby_groupgame USING btree (match_id varchar_pattern_ops);
CREATE INDEX lobby_logline_by_id_00910192 ON public.lobby_logline USING btree (by_id);
CREATE INDEX lobby_making_group_id_00110adb ON public.lobby_making USING btree (group_id);
CREATE INDEX lobby_making_group_id_00110adb_like ON public.lobby_making USING btree (group_id varchar_pattern_ops);
CREATE INDEX lobby_making_key_18dc2d85_like ON public.lobby_making USING btree (key varchar_pattern_ops);
CREATE INDEX lobby_member_making_id_28257c80 ON public.lobby_member USING btree (making_id);
CREATE INDEX lobby_member_player_id_4f1502d1 ON public.lobby_member USING btree (player_id);
CREATE INDEX lobby_pairing_first_id_ae3180dd ON public.lobby_pairing USING btree (first_id);
CREATE INDEX lobby_pairing_match_id_96431fa7_like ON public.lobby_pairing USING btree (match_id varchar_pattern_ops);
CREATE INDEX lobby_pairing_second_id_9b6e01ef ON public.lobby_pairing USING btree (second_id);
CREATE INDEX lobby_player_groups_group_id_d56d0ae9 ON public.lobby_player_groups USING btree (group_id);
CREATE INDEX lobby_player_groups_player_id_7048e6d5 ON public.lobby_player_groups USING btree (player_id);
CREATE INDEX lobby_player_name_key_1288a3a8_like ON public.lobby_player USING btree (name_key varchar_pattern_ops);
CREATE INDEX lobby_player_user_permissions_permission_id_33a99420 ON public.lobby_player_user_permissions USING btree (permission_id);
CREATE INDEX lobby_player_user_permissions_player_id_1870cd42 ON public.lobby_player_user_permissions USING btree (player_id);
CREATE INDEX lobby_player_username_d77295d2_like ON public.lobby_player USING btree (username varchar_pattern_ops);
CREATE INDEX lobby_ratingspread_game_64dd8afd_like ON public.lobby_ratingspread USING btree (game varchar_pattern_ops);
CREATE INDEX lobby_recount_game_acb5d855_like ON public.lobby_recount USING btree (game varchar_pattern_ops);
CREATE INDEX lobby_seek_id_e364434d_like ON public.lobby_seek USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_seek_match_id_e8f8f82f ON public.lobby_seek USING btree (match_id);
CREATE INDEX lobby_seek_match_id_e8f8f82f_like ON public.lobby_seek USING btree (match_id varchar_pattern_ops);
CREATE INDEX lobby_seek_player_id_bbf73416 ON public.lobby_seek USING btree (player_id);
CREATE INDEX lobby_series_group_id_eaeac58d ON public.lobby_series USING btree (group_id);
CREATE INDEX lobby_series_group_id_eaeac58d_like ON public.lobby_series USING btree (group_id varchar_pattern_ops);
CREATE INDEX lobby_series_id_1819ac6c_like ON public.lobby_series USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_series_organiser_id_12e62e4c ON public.lobby_series USING btree (organiser_id);
CREATE INDEX lobby_server_id_a9d216fd_like ON public.lobby_server USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_signin_player_id_09d46021 ON public.lobby_signin USING btree (player_id);
CREATE INDEX lobby_token_hash_24e40af8_like ON public.lobby_token USING btree (hash varchar_pattern_ops);
CREATE INDEX lobby_token_player_id_ce66fa0b ON public.lobby_token USING btree (player_id);
CREATE INDEX lobby_tournament_code_b7d4bbb1_like ON public.lobby_tournament USING btree (code varchar_pattern_ops);
CREATE INDEX lobby_tournament_id_0341b180_like ON public.lobby_tournament USING btree (id varchar_pattern_ops);
CREATE INDEX lobby_webhook_player_id_ad87d8b4 ON public.lobby_webhook USING btree (player_id);
CREATE INDEX log_by_match ON public.games_logentry USING btree (match_id, index DESC);
CREATE INDEX log_newest ON public.lobby_logline USING btree (tournament_id, id DESC);
CREATE INDEX match_by_age ON public.games_match USING btree (created_at DESC, id DESC);
CREATE INDEX match_by_bot ON public.games_match USING btree (bot_at) WHERE (bot_at IS NOT NULL);
CREATE INDEX match_by_deadline ON public.games_match USING btree (deadline) WHERE ((status)::text = 'live'::text);
CREATE INDEX match_by_end ON public.games_match USING btree (ended, created_at DESC, id DESC);
CREATE INDEX match_by_end_time ON public.games_match USING btree (ended_at);
CREATE INDEX match_by_first ON public.games_match USING btree (first_id, created_at DESC);
CREATE INDEX match_by_game ON public.games_match USING btree (game, created_at DESC, id DESC);
CREATE INDEX match_by_length ON public.games_match USING btree (ply DESC, id DESC) WHERE (NOT ((status)::text = 'live'::text));
CREATE INDEX match_by_second ON public.games_match USING btree (second_id, created_at DESC);
CREATE INDEX match_by_status_and_age ON public.games_match USING btree (status, created_at DESC, id DESC);
CREATE INDEX match_live_by_first ON public.games_match USING btree (first_id) WHERE ((status)::text = 'live'::text);
CREATE INDEX match_live_by_second ON public.games_match USING btree (second_id) WHERE ((status)::text = 'live'::text);
CREATE INDEX match_with_computer ON public.games_match USING btree (first_id, second_id) WHERE (((status)::text = 'live'::text) AND ((first_level IS NOT NULL) OR (second_level IS NOT NULL)));
CREATE INDEX mfa_authenticator_user_id_0c3a50c0 ON public.mfa_authenticator USING btree (user_id);
CREATE INDEX notes_by_player ON public.games_note USING btree (player_id, at DESC);
CREATE UNIQUE INDEX one_decision_at_a_time_per_match ON public.games_decision USING btree (match_id, number) WHERE (player_id IS NULL);
CREATE UNIQUE INDEX one_open_case_per_match_and_player ON public.games_case USING btree (match_id, player_id) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX one_open_challenge ON public.lobby_challenge USING btree (challenger_id, challenged_id) WHERE ((answer)::text = ''::text);
CREATE UNIQUE INDEX one_open_seek_in_a_group ON public.lobby_seek USING btree (player_id, group_id, game, clock, options, rated) WHERE ((match_id IS NULL) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX one_open_seek_of_a_kind ON public.lobby_seek USING btree (player_id, game, clock, options, rated) WHERE ((NOT by_address) AND (group_id IS NULL) AND (match_id IS NULL));
CREATE INDEX open_appeals ON public.lobby_appeal USING btree (at, id) WHERE (answered_at IS NULL);
CREATE INDEX open_cases ON public.games_case USING btree (opened_at, id) WHERE (closed_at IS NULL);
CREATE INDEX open_cases_by_player ON public.games_case USING btree (player_id, id) WHERE (closed_at IS NULL);
CREATE INDEX open_signs ON public.games_sign USING btree (at, id) WHERE (seen_at IS NULL);
CREATE INDEX open_signs_by_player ON public.games_sign USING btree (player_id, kind) WHERE (seen_at IS NULL);
CREATE INDEX pairing_live ON public.lobby_pairing USING btree (tournament_id) WHERE (ended_at IS NULL);
CREATE INDEX played_all ON public.lobby_played USING btree (player_id, ended_at DESC, id DESC);
CREATE INDEX played_game ON public.lobby_played USING btree (player_id, game, ended_at DESC, id DESC);
CREATE INDEX played_length ON public.lobby_played USING btree (player_id, length, ended_at DESC, id DESC);
CREATE INDEX played_opponent ON public.lobby_played USING btree (player_id, opponent_id, ended_at DESC, id DESC, result);
CREATE INDEX played_rated ON public.lobby_played USING btree (player_id, rated, ended_at DESC, id DESC);
CREATE INDEX played_result ON public.lobby_played USING btree (player_id, result, ended_at DESC, id DESC);
CREATE INDEX player_alias ON public.lobby_player USING btree (alias_of_id) WHERE (alias_of_id IS NOT NULL);
CREATE INDEX player_alias_name ON public.lobby_player USING btree (name_free_at) WHERE (name_free_at IS NOT NULL);
CREATE INDEX player_closing ON public.lobby_player USING btree (closing_at) WHERE (closing_at IS NOT NULL);
CREATE INDEX pool_by_wave ON public.lobby_pool USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX position_by_age ON public.games_positionlook USING btree (asked_at);
CREATE INDEX position_due ON public.games_positionlook USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX rated_by_first ON public.lobby_ratedgame USING btree (first_id, game, at);
CREATE INDEX rated_by_second ON public.lobby_ratedgame USING btree (second_id, game, at);
CREATE INDEX rated_in_order ON public.lobby_ratedgame USING btree (game, at, lot);
CREATE INDEX rating_listed ON public.lobby_rating USING btree (game, rating DESC, player_id, listed_until) WHERE (listed_until IS NOT NULL);
CREATE INDEX rating_listed_until ON public.lobby_rating USING btree (listed_until) WHERE (listed_until IS NOT NULL);
CREATE INDEX report_by_reporter ON public.games_report USING btree (by_id, at);
CREATE INDEX reversal_by_age ON public.games_decision USING btree (at, id) WHERE ((kind)::text = 'reverse'::text);
CREATE INDEX seek_by_age ON public.lobby_seek USING btree (seen_at);
CREATE INDEX seek_by_pool ON public.lobby_seek USING btree (game, clock, options, created_at) WHERE ((NOT by_address) AND (match_id IS NULL) AND rated);
CREATE INDEX seek_of_group ON public.lobby_seek USING btree (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX series_newest ON public.lobby_series USING btree (made_at DESC, id);
CREATE INDEX sign_by_age ON public.games_sign USING btree (at, id);
CREATE INDEX sign_in_by_age ON public.lobby_signin USING btree (at);
CREATE INDEX sign_in_unread ON public.lobby_signin USING btree (player_id, at DESC) WHERE (seen_at IS NULL);
CREATE INDEX sign_search_done ON public.games_signsearch USING btree (at) WHERE (due_at IS NULL);
CREATE INDEX sign_search_due ON public.games_signsearch USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX suspension_by_player ON public.games_decision USING btree (player_id, until) WHERE ((kind)::text = 'suspend'::text);
CREATE INDEX token_by_end ON public.lobby_token USING btree (expires_at);
CREATE INDEX tournament_by_state ON public.lobby_tournament USING btree (state, starts_at, id);
CREATE INDEX tournament_due ON public.lobby_tournament USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX tournament_of_group ON public.lobby_tournament USING btree (group_id, starts_at DESC) WHERE (group_id IS NOT NULL);
CREATE INDEX tournament_of_organiser ON public.lobby_tournament USING btree (organiser_id, starts_at DESC);
CREATE INDEX tournament_over ON public.lobby_tournament USING btree (ended_at DESC, id) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX unique_authenticator_type ON public.mfa_authenticator USING btree (user_id, type) WHERE ((type)::text = ANY ((ARRAY['totp'::character varying, 'recovery_codes'::character varying])::text[]));
CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";
CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;
CREATE INDEX unseen_notices ON public.games_notice USING btree (player_id) WHERE (seen_at IS NULL);
CREATE INDEX usersessions_usersession_session_key_fd35de43_like ON public.usersessions_usersession USING btree (session_key varchar_pattern_ops);
CREATE INDEX usersessions_usersession_user_id_af5e0a6d ON public.usersessions_usersession USING btree (user_id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_lobby_player_id FOREIGN KEY (user_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_lobby_player_id FOREIGN KEY (user_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_analysis
    ADD CONSTRAINT games_analysis_asked_by_id_ab11dbe4_fk_lobby_player_id FOREIGN KEY (asked_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_analysis
    ADD CONSTRAINT games_analysis_match_id_0ded0ddd_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_assignment
    ADD CONSTRAINT games_assignment_by_id_f7de7c11_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_assignment
    ADD CONSTRAINT games_assignment_player_id_e7bd6e27_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_attendance
    ADD CONSTRAINT games_attendance_match_id_39ae633d_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_caller
    ADD CONSTRAINT games_caller_player_id_4eedcddd_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_case
    ADD CONSTRAINT games_case_closed_by_id_ce686c5d_fk_lobby_player_id FOREIGN KEY (closed_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_case
    ADD CONSTRAINT games_case_match_id_c2438cf2_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_case
    ADD CONSTRAINT games_case_player_id_8fc0bfa9_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_case
    ADD CONSTRAINT games_case_taken_by_id_afaa36ef_fk_lobby_player_id FOREIGN KEY (taken_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_connection
    ADD CONSTRAINT games_connection_match_id_f9a069da_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_by_id_b7da00e7_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_match_id_8a8b35e4_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_player_id_7badf8ff_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_decision
    ADD CONSTRAINT games_decision_reverses_id_955af68e_fk_games_decision_id FOREIGN KEY (reverses_id) REFERENCES public.games_decision(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_event
    ADD CONSTRAINT games_event_match_id_dea13280_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_logentry
    ADD CONSTRAINT games_logentry_match_id_8c0c2fe2_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_logwish
    ADD CONSTRAINT games_logwish_match_id_33b9f046_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_match
    ADD CONSTRAINT games_match_first_id_47f1ae50_fk_lobby_player_id FOREIGN KEY (first_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_match
    ADD CONSTRAINT games_match_rematch_id_a45acbf9_fk_games_match_id FOREIGN KEY (rematch_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_match
    ADD CONSTRAINT games_match_second_id_f3551408_fk_lobby_player_id FOREIGN KEY (second_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_move
    ADD CONSTRAINT games_move_match_id_b9c0e951_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_note
    ADD CONSTRAINT games_note_by_id_7c08f9be_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_note
    ADD CONSTRAINT games_note_match_id_7eee8b05_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_note
    ADD CONSTRAINT games_note_player_id_c3e9f9b3_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_notice
    ADD CONSTRAINT games_notice_match_id_f089829e_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_notice
    ADD CONSTRAINT games_notice_player_id_935ce6a2_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_report
    ADD CONSTRAINT games_report_by_id_e753e401_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_report
    ADD CONSTRAINT games_report_case_id_57e4e232_fk_games_case_id FOREIGN KEY (case_id) REFERENCES public.games_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_sign
    ADD CONSTRAINT games_sign_match_id_db34c722_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_sign
    ADD CONSTRAINT games_sign_player_id_57aeadce_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_sign
    ADD CONSTRAINT games_sign_seen_by_id_72aced76_fk_lobby_player_id FOREIGN KEY (seen_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.games_signsearch
    ADD CONSTRAINT games_signsearch_match_id_0f56d337_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_accuracy
    ADD CONSTRAINT lobby_accuracy_match_id_1471a221_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_accuracy
    ADD CONSTRAINT lobby_accuracy_player_id_be1d8277_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_adoption
    ADD CONSTRAINT lobby_adoption_account_id_360f739a_fk_lobby_player_id FOREIGN KEY (account_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_adoption
    ADD CONSTRAINT lobby_adoption_guest_id_449e5b6f_fk_lobby_player_id FOREIGN KEY (guest_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_appeal
    ADD CONSTRAINT lobby_appeal_answered_by_id_d208603b_fk_lobby_player_id FOREIGN KEY (answered_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_appeal
    ADD CONSTRAINT lobby_appeal_decision_id_6cd2935b_fk_games_decision_id FOREIGN KEY (decision_id) REFERENCES public.games_decision(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_appeal
    ADD CONSTRAINT lobby_appeal_player_id_6783067f_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_authorizationcode
    ADD CONSTRAINT lobby_authorizationcode_player_id_f49c7106_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_authorizationcode
    ADD CONSTRAINT lobby_authorizationcode_token_id_330cd5ce_fk_lobby_token_id FOREIGN KEY (token_id) REFERENCES public.lobby_token(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_block
    ADD CONSTRAINT lobby_block_by_id_fe84cf1a_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_block
    ADD CONSTRAINT lobby_block_whom_id_af430ec0_fk_lobby_player_id FOREIGN KEY (whom_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_challenge
    ADD CONSTRAINT lobby_challenge_challenged_id_75529ad3_fk_lobby_player_id FOREIGN KEY (challenged_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_challenge
    ADD CONSTRAINT lobby_challenge_challenger_id_bb694de0_fk_lobby_player_id FOREIGN KEY (challenger_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_challenge
    ADD CONSTRAINT lobby_challenge_match_id_1ce846cc_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_computergame
    ADD CONSTRAINT lobby_computergame_match_id_b0dbe659_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_delivery
    ADD CONSTRAINT lobby_delivery_hook_id_ee06fd1f_fk_lobby_webhook_id FOREIGN KEY (hook_id) REFERENCES public.lobby_webhook(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_device
    ADD CONSTRAINT lobby_device_player_id_adbe6670_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_device
    ADD CONSTRAINT lobby_device_sign_in_id_7296fd86_fk_lobby_signin_id FOREIGN KEY (sign_in_id) REFERENCES public.lobby_signin(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_entry
    ADD CONSTRAINT lobby_entry_player_id_6fc8ebca_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_entry
    ADD CONSTRAINT lobby_entry_playing_id_7af469f4_fk_lobby_pairing_id FOREIGN KEY (playing_id) REFERENCES public.lobby_pairing(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_entry
    ADD CONSTRAINT lobby_entry_tournament_id_002a3bd9_fk_lobby_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.lobby_tournament(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_factorreset
    ADD CONSTRAINT lobby_factorreset_account_id_ef3abfb1_fk_lobby_player_id FOREIGN KEY (account_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_factorreset
    ADD CONSTRAINT lobby_factorreset_asked_by_id_dacb171c_fk_lobby_player_id FOREIGN KEY (asked_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_factorreset
    ADD CONSTRAINT lobby_factorreset_confirmed_by_id_2b3d7f80_fk_lobby_player_id FOREIGN KEY (confirmed_by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_formername
    ADD CONSTRAINT lobby_formername_player_id_550fa31d_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_group
    ADD CONSTRAINT lobby_group_organiser_id_4ecaeb67_fk_lobby_player_id FOREIGN KEY (organiser_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_groupgame
    ADD CONSTRAINT lobby_groupgame_group_id_d7befcae_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_groupgame
    ADD CONSTRAINT lobby_groupgame_match_id_63d96bff_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_logline
    ADD CONSTRAINT lobby_logline_by_id_00910192_fk_lobby_player_id FOREIGN KEY (by_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_logline
    ADD CONSTRAINT lobby_logline_tournament_id_3f90adaa_fk_lobby_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.lobby_tournament(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_making
    ADD CONSTRAINT lobby_making_group_id_00110adb_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_member
    ADD CONSTRAINT lobby_member_group_id_2c5069c8_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_member
    ADD CONSTRAINT lobby_member_making_id_28257c80_fk_lobby_making_id FOREIGN KEY (making_id) REFERENCES public.lobby_making(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_member
    ADD CONSTRAINT lobby_member_player_id_4f1502d1_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_first_id_ae3180dd_fk_lobby_entry_id FOREIGN KEY (first_id) REFERENCES public.lobby_entry(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_match_id_96431fa7_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_second_id_9b6e01ef_fk_lobby_entry_id FOREIGN KEY (second_id) REFERENCES public.lobby_entry(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_pairing
    ADD CONSTRAINT lobby_pairing_tournament_id_d69bc315_fk_lobby_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.lobby_tournament(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_played
    ADD CONSTRAINT lobby_played_match_id_410bd5a3_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_alias_of_id_d0997e57_fk_lobby_player_id FOREIGN KEY (alias_of_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player
    ADD CONSTRAINT lobby_player_beside_id_7225d330_fk_lobby_player_id FOREIGN KEY (beside_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player_groups
    ADD CONSTRAINT lobby_player_groups_group_id_d56d0ae9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player_groups
    ADD CONSTRAINT lobby_player_groups_player_id_7048e6d5_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player_user_permissions
    ADD CONSTRAINT lobby_player_user_pe_permission_id_33a99420_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_player_user_permissions
    ADD CONSTRAINT lobby_player_user_pe_player_id_1870cd42_fk_lobby_pla FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_preferences
    ADD CONSTRAINT lobby_preferences_player_id_39e65b47_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_rating
    ADD CONSTRAINT lobby_rating_player_id_385ef483_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_recoverywords
    ADD CONSTRAINT lobby_recoverywords_player_id_3ab4ca16_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_round
    ADD CONSTRAINT lobby_round_tournament_id_27f85e7a_fk_lobby_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.lobby_tournament(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_seek
    ADD CONSTRAINT lobby_seek_group_id_8d705476_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_seek
    ADD CONSTRAINT lobby_seek_match_id_e8f8f82f_fk_games_match_id FOREIGN KEY (match_id) REFERENCES public.games_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_seek
    ADD CONSTRAINT lobby_seek_player_id_bbf73416_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_series
    ADD CONSTRAINT lobby_series_group_id_eaeac58d_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_series
    ADD CONSTRAINT lobby_series_organiser_id_12e62e4c_fk_lobby_player_id FOREIGN KEY (organiser_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_signin
    ADD CONSTRAINT lobby_signin_player_id_09d46021_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_tally
    ADD CONSTRAINT lobby_tally_player_id_fec6f3c8_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_token
    ADD CONSTRAINT lobby_token_player_id_ce66fa0b_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT lobby_tournament_group_id_1ad3aa8f_fk_lobby_group_id FOREIGN KEY (group_id) REFERENCES public.lobby_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT lobby_tournament_organiser_id_8e31f7f3_fk_lobby_player_id FOREIGN KEY (organiser_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_tournament
    ADD CONSTRAINT lobby_tournament_series_id_2f1fd039_fk_lobby_series_id FOREIGN KEY (series_id) REFERENCES public.lobby_series(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lobby_webhook
    ADD CONSTRAINT lobby_webhook_player_id_ad87d8b4_fk_lobby_player_id FOREIGN KEY (player_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_user_id_0c3a50c0_fk_lobby_player_id FOREIGN KEY (user_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_user_id_af5e0a6d_fk_lobby_player_id FOREIGN KEY (user_id) REFERENCES public.lobby_player(id) DEFERRABLE INITIALLY DEFERRED;
