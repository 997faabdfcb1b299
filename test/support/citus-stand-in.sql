-- Stands in for Citus where none is: it moves nothing, and refuses what Citus refuses. TEST_CITUS names a real one.
set allow_system_table_mods = on;
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '14.0-1');
reset allow_system_table_mods;
create schema citus_stand_in;
do $$ begin execute format('alter database %I set search_path to public, citus_stand_in', current_database()); end $$;
set search_path to citus_stand_in, public;

create table pg_dist_node (
  nodeid integer, groupid integer, nodename text, nodeport integer, noderole text default 'primary',
  isactive boolean default true, hasmetadata boolean default true, metadatasynced boolean default true, shouldhaveshards boolean);
create table pg_dist_partition (logicalrelid regclass, partmethod "char");
create table pg_dist_object (classid oid, objid oid);
create table pg_dist_placement (shardid bigint, groupid integer);
create table pg_dist_shard (shardid bigint, logicalrelid regclass);
create table pg_dist_local_group (groupid integer);
create function shard_name(regclass, bigint) returns text language sql as $$ select $1 || '_' || $2 $$;
create function get_shard_id_for_distribution_column(regclass, bigint) returns bigint language sql as $$ select 0::bigint $$;

create function create_distributed_table(relation text, distribution text, colocate_with text)
returns void language plpgsql as $$ declare target regclass := relation; begin
  if exists (select from pg_trigger where tgrelid = target and not tgisinternal) then
    raise 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  if exists (select from pg_constraint where contype = 'f' and target in (conrelid, confrelid) and conrelid <> confrelid) then
    raise 'cannot create foreign key constraint since relations are not colocated or not referencing a reference table';
  end if;
  if exists (select from pg_policy where polrelid = target and pg_get_expr(polqual, polrelid) ~* '\mselect\M') then
    raise 'cannot create policy: Subqueries are not supported in policies on distributed tables';
  end if;
  if exists (select from pg_index where indrelid = target and (indisunique or indisexclusion) and not exists (
       select from pg_attribute where attrelid = target and attnum = any (indkey) and attname = distribution)) then
    raise 'cannot create constraint on "%": Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column', relation;
  end if;
  if colocate_with <> 'none' and not exists (select from pg_dist_partition p where p.logicalrelid = colocate_with::regclass and p.partmethod = 'h') then
    raise 'relation % is not distributed', colocate_with;
  end if;
  insert into pg_dist_partition values (target, 'h');
end $$;

create function create_reference_table(relation text) returns void language plpgsql as $$ begin
  if exists (select from pg_trigger where tgrelid = relation::regclass and not tgisinternal) then
    raise 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  insert into pg_dist_partition values (relation::regclass, 'n');
end $$;

create function truncate_local_data_after_distributing_table(relation text) returns void language sql as '';
create function create_distributed_function(signature regprocedure) returns void language sql as
  $$ insert into pg_dist_object values ('pg_proc'::regclass, signature::oid) $$;
create function run_command_on_all_nodes(command text, out nodeid integer, out success boolean, out result text)
returns setof record language plpgsql as $$ begin
  return query select n.nodeid, true, (select json_build_object('propagate', 'local', 'timezone', current_setting('timezone'),
    'preparedTransactions', 100, 'connections', 100, 'walLevel', 'logical', 'decodes', true, 'citus', '14.0-1', 'roleSignsIn', true))::text
    from pg_dist_node n;
end $$;
