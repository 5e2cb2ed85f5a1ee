// Generated from openapi.yaml by npm run generate.
interface components {
	schemas: {
		FileInput:
			| {
					/** @constant */
					type: 'url';
					url: components['schemas']['PublicUrl'];
			  }
			| {
					/** @constant */
					type: 'asset_id';
					asset_id: string;
			  }
			| {
					/** @constant */
					type: 'base64';
					media_type: string;
					data: string;
			  };
		/**
		 * Format: uri
		 * @description A URL that the service can reach
		 */
		PublicUrl: string;
		/** Format: uri */
		WebUrl: string;
		AvatarVideo: {
			/** @constant */
			type: 'avatar';
			avatar_id: string;
			engine?: components['schemas']['Engine'] | null;
			script?: string | null;
			audio_url?: components['schemas']['PublicUrl'] | null;
			audio_asset_id?: string | null;
			voice_id?: string | null;
			voice_settings?: components['schemas']['VoiceSettings'] | null;
			motion_prompt?: string | null;
			/** @enum {string|null} */
			expressiveness?: 'high' | 'medium' | 'low' | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
			brand_glossary_id?: string | null;
			/** @deprecated */
			brand_voice_id?: string | null;
			title?: string | null;
			folder_id?: string | null;
			/** @enum {string|null} */
			resolution?: '4k' | '1080p' | '720p' | null;
			/** @enum {string|null} */
			aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:5' | '5:4' | 'auto' | null;
			/** @enum {string|null} */
			fit?: 'contain' | 'cover' | null;
			background?: components['schemas']['Background'] | null;
			remove_background?: boolean | null;
			/** @enum {string} */
			output_format?: 'mp4' | 'webm';
			caption?: components['schemas']['Caption'] | null;
			watermark?: components['schemas']['Watermark'] | null;
		};
		/** @description A reference look is only for avatar_v */
		Engine: {
			/**
			 * @example avatar_iv
			 * @example avatar_v
			 * @example avatar_iii
			 */
			type: string;
			reference_look_id?: string | null;
		};
		VoiceSettings: {
			speed?: number | null;
			pitch?: number | null;
			volume?: number | null;
			locale?: string | null;
			engine_settings?: {
				engine_type: string;
				model?: string | null;
				stability?: number | null;
				similarity_boost?: number | null;
				similarity?: number | null;
				style?: number | null;
				use_speaker_boost?: boolean | null;
			} | null;
		};
		Background: {
			/** @enum {string} */
			type: 'color' | 'image';
			value?: components['schemas']['HexColor'] | null;
			url?: components['schemas']['PublicUrl'] | null;
			asset_id?: string | null;
		};
		HexColor: string;
		Caption: {
			/** @enum {string} */
			file_format?: 'srt';
			/** @enum {string|null} */
			style?: 'default' | null;
		};
		Watermark: {
			image: components['schemas']['FileInput'];
			scale?: number | null;
			opacity?: number | null;
			placement?: {
				/** @enum {string} */
				position?: 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
				offset_x?: number | null;
				offset_y?: number | null;
			} | null;
		};
		ImageVideo: {
			/** @constant */
			type: 'image';
			image: components['schemas']['FileInput'];
			script?: string | null;
			audio_url?: components['schemas']['PublicUrl'] | null;
			audio_asset_id?: string | null;
			voice_id?: string | null;
			voice_settings?: components['schemas']['VoiceSettings'] | null;
			motion_prompt?: string | null;
			/** @enum {string|null} */
			expressiveness?: 'high' | 'medium' | 'low' | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
			brand_glossary_id?: string | null;
			/** @deprecated */
			brand_voice_id?: string | null;
			title?: string | null;
			folder_id?: string | null;
			/** @enum {string|null} */
			resolution?: '4k' | '1080p' | '720p' | null;
			/** @enum {string|null} */
			aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:5' | '5:4' | 'auto' | null;
			/** @enum {string|null} */
			fit?: 'contain' | 'cover' | null;
			background?: components['schemas']['Background'] | null;
			remove_background?: boolean | null;
			/** @enum {string} */
			output_format?: 'mp4' | 'webm';
			caption?: components['schemas']['Caption'] | null;
			watermark?: components['schemas']['Watermark'] | null;
		};
		CinematicVideo: {
			/** @constant */
			type: 'cinematic_avatar';
			avatar_id: string[];
			prompt: string;
			references?: components['schemas']['FileInput'][] | null;
			duration?: number | null;
			auto_duration?: boolean;
			/** @enum {string} */
			aspect_ratio?: '16:9' | '9:16' | '1:1';
			/** @enum {string} */
			resolution?: '720p' | '1080p';
			enhance_prompt?: boolean;
			title?: string | null;
			folder_id?: string | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
		};
		StudioVideo: {
			/** @constant */
			type: 'studio';
			scenes: components['schemas']['StudioScene'][];
			title?: string | null;
			folder_id?: string | null;
			/** @enum {string|null} */
			aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:5' | '5:4' | 'auto' | null;
			/** @enum {string|null} */
			resolution?: '4k' | '1080p' | '720p' | null;
			captions?: components['schemas']['Caption'] | null;
			caption?: components['schemas']['Caption'] | null;
			webhooks?: unknown;
			watermark?: components['schemas']['Watermark'] | null;
			brand_glossary_id?: string | null;
			/** @deprecated */
			brand_voice_id?: string | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
		};
		StudioScene:
			| {
					/** @constant */
					type: 'avatar_video';
					input: components['schemas']['SceneInput'];
			  }
			| {
					/** @constant */
					type: 'image';
					source: components['schemas']['FileInput'];
					duration?: number | null;
					script?: string | null;
					audio_url?: components['schemas']['PublicUrl'] | null;
					audio_asset_id?: string | null;
					voice_id?: string | null;
					voice_settings?: components['schemas']['VoiceSettings'] | null;
			  }
			| {
					/** @constant */
					type: 'video';
					source: components['schemas']['FileInput'];
					playback?: {
						/** @enum {string} */
						mode?: 'freeze' | 'loop' | 'fit_to_scene';
						volume?: number | null;
						mute?: boolean | null;
					} | null;
					voiceover?: {
						script?: string | null;
						audio_url?: components['schemas']['PublicUrl'] | null;
						audio_asset_id?: string | null;
						voice_id?: string | null;
						voice_settings?: components['schemas']['VoiceSettings'] | null;
					} | null;
			  };
		SceneInput:
			| {
					/** @constant */
					type: 'avatar';
					avatar_id: string;
					engine?: components['schemas']['Engine'] | null;
					background?: {
						/** @constant */
						type: 'color';
						color: components['schemas']['HexColor'];
					} | null;
					script?: string | null;
					audio_url?: components['schemas']['PublicUrl'] | null;
					audio_asset_id?: string | null;
					voice_id?: string | null;
					voice_settings?: components['schemas']['VoiceSettings'] | null;
					motion_prompt?: string | null;
					/** @enum {string|null} */
					expressiveness?: 'high' | 'medium' | 'low' | null;
			  }
			| {
					/** @constant */
					type: 'image';
					image: components['schemas']['FileInput'];
					script?: string | null;
					audio_url?: components['schemas']['PublicUrl'] | null;
					audio_asset_id?: string | null;
					voice_id?: string | null;
					voice_settings?: components['schemas']['VoiceSettings'] | null;
					motion_prompt?: string | null;
					/** @enum {string|null} */
					expressiveness?: 'high' | 'medium' | 'low' | null;
			  };
		ReferenceVideo: {
			/** @constant */
			mode: 'reference_to_video';
			/** @enum {string} */
			aspect_ratio?: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | 'adaptive';
			reference_images?: components['schemas']['FileInput'][];
			reference_videos?: components['schemas']['FileInput'][];
			reference_audio?: components['schemas']['FileInput'][];
			model: string;
			prompt: string;
			duration?: number;
			/** @enum {string} */
			resolution?: '480p' | '768p';
			/** @enum {string} */
			prompt_enhancement?: 'quality' | 'turbo' | 'disabled' | 'default';
			seed?: number | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
		};
		TemplateVariable:
			| {
					/** @constant */
					type: 'text';
					content: string;
			  }
			| {
					/** @constant */
					type: 'image';
					asset: components['schemas']['FileInput'];
					/** @enum {string} */
					fit?: 'contain' | 'cover' | 'crop' | 'none';
			  }
			| {
					/** @constant */
					type: 'video';
					asset: components['schemas']['FileInput'];
					/** @enum {string} */
					fit?: 'contain' | 'cover' | 'crop' | 'none';
					/** @enum {string} */
					play_style?: 'loop' | 'freeze' | 'once' | 'fit_to_scene' | 'full_video';
					volume?: number;
			  }
			| {
					/** @constant */
					type: 'audio';
					asset: components['schemas']['FileInput'];
			  }
			| {
					/** @constant */
					type: 'character';
					character_id: string;
					/** @enum {string} */
					character_type?: 'avatar' | 'talking_photo';
			  }
			| {
					/** @constant */
					type: 'voice';
					voice_id: string;
					locale?: string | null;
			  };
		TranslationRequest: {
			video: components['schemas']['StoredFileInput'];
			output_languages: string[];
			/** @enum {string} */
			mode?: 'speed' | 'precision';
			srt?: components['schemas']['StoredFileInput'] | null;
			speaker_num?: number | null;
			/** @enum {string|null} */
			fps_mode?: 'vfr' | 'cfr' | 'passthrough' | null;
			keep_the_same_format?: boolean | null;
			disable_music_track?: boolean;
			enable_speech_enhancement?: boolean;
			stock_voice_config?: {
				use_stock_voice?: boolean;
				preferred_stock_voice_ids?: string[];
			} | null;
			folder_id?: string | null;
			brand_glossary_id?: string | null;
			/** @deprecated */
			brand_voice_id?: string | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
			title?: string | null;
			input_language?: string | null;
			translate_audio_only?: boolean;
			audio?: components['schemas']['StoredFileInput'] | null;
			/** @enum {string|null} */
			srt_role?: 'input' | 'output' | null;
			start_time?: number | null;
			end_time?: number | null;
			enable_dynamic_duration?: boolean;
			enable_watermark?: boolean;
			/** @deprecated */
			enable_caption?: boolean;
		};
		StoredFileInput:
			| {
					/** @constant */
					type: 'url';
					url: components['schemas']['PublicUrl'];
			  }
			| {
					/** @constant */
					type: 'asset_id';
					asset_id: string;
			  };
		LipsyncRequest: {
			video: components['schemas']['StoredFileInput'];
			audio: components['schemas']['StoredFileInput'];
			title?: string | null;
			/** @enum {string} */
			mode?: 'speed' | 'precision';
			start_time?: number | null;
			end_time?: number | null;
			enable_dynamic_duration?: boolean;
			disable_music_track?: boolean;
			enable_speech_enhancement?: boolean;
			enable_watermark?: boolean;
			/** @deprecated */
			enable_caption?: boolean;
			/** @enum {string|null} */
			fps_mode?: 'vfr' | 'cfr' | 'passthrough' | null;
			keep_the_same_format?: boolean | null;
			folder_id?: string | null;
			callback_url?: components['schemas']['WebUrl'] | null;
			callback_id?: string | null;
		};
		DirectUploadRequest: {
			filename: string;
			content_type: string;
			size_bytes: number;
			checksum_sha256?: string | null;
		};
		WorkflowGraph: {
			/** @constant */
			schema_version: '1.0.0';
			inputs?: {
				[key: string]: {
					/** @enum {string} */
					type: 'text' | 'json' | 'video' | 'image' | 'audio' | 'avatar';
					required?: boolean;
				};
			};
			nodes?: {
				id: string;
				type: string;
				variant?: string;
				config?: unknown;
				depends_on?: string[];
				bindings?: {
					[key: string]: {
						/**
						 * @example literal
						 * @example node_output
						 * @example run_input
						 * @example object
						 * @example list
						 */
						kind: string;
					};
				};
			}[];
			outputs?: {
				[key: string]: {
					node_id: string;
					port?: string;
				};
			};
		};
		/** @enum {string} */
		EventTypeName:
			| 'avatar_video.success'
			| 'avatar_video.fail'
			| 'avatar_video_gif.success'
			| 'avatar_video_gif.fail'
			| 'avatar_video_caption.success'
			| 'avatar_video_caption.fail'
			| 'video_translate.success'
			| 'video_translate.fail'
			| 'video_translate.preflight.validation_failed'
			| 'video_translate.preflight.download_failed'
			| 'video_agent.success'
			| 'video_agent.fail'
			| 'personalized_video'
			| 'instant_avatar.success'
			| 'instant_avatar.fail'
			| 'photo_avatar_generation.success'
			| 'photo_avatar_generation.fail'
			| 'photo_avatar_train.success'
			| 'photo_avatar_train.fail'
			| 'photo_avatar_add_motion.success'
			| 'photo_avatar_add_motion.fail'
			| 'proofread_creation.success'
			| 'proofread_creation.fail'
			| 'live_avatar.success'
			| 'live_avatar.fail'
			| 'hyperframes_video.success'
			| 'hyperframes_video.fail'
			| 'ai_clipping.success'
			| 'ai_clipping.fail'
			| 'batch.finished';
		Requests: {
			'GET /v3/video-agents': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/video-agents': {
				query: Record<string, never>;
				body: {
					prompt: string;
					/** @enum {string} */
					mode?: 'generate' | 'chat';
					style_id?: string | null;
					brand_kit_id?: string | null;
					brand_glossary_id?: string | null;
					avatar_id?: string | null;
					voice_id?: string | null;
					/** @enum {string|null} */
					orientation?: 'landscape' | 'portrait' | null;
					files?: components['schemas']['FileInput'][] | null;
					incognito_mode?: boolean;
					/** @example private */
					visibility?: string;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
				};
			};
			'GET /v3/video-agents/{session_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/video-agents/{session_id}': {
				query: Record<string, never>;
				body: {
					message?: string;
					edit_plan?: {
						scene_id: string;
						text: string;
						scene_snapshot_video_id: string;
						edit_version: string;
					}[];
					brand_kit_id?: string | null;
					avatar_id?: string | null;
					voice_id?: string | null;
					files?: components['schemas']['FileInput'][] | null;
				};
			};
			'GET /v3/video-agents/styles': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					/**
					 * @example cinematic
					 * @example retro-tech
					 * @example iconic-artist
					 * @example pop-culture
					 * @example handmade
					 * @example print
					 */
					tag?: string;
				};
				body: Record<string, never>;
			};
			'POST /v1/video_agent/generate': {
				query: Record<string, never>;
				body: {
					prompt: string;
					duration_sec?: number | null;
					/** @enum {string|null} */
					orientation?: 'landscape' | 'portrait' | null;
					avatar_id?: string | null;
					voice_id?: string | null;
					files?:
						| {
								asset_id: string;
						  }[]
						| null;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
					incognito_mode?: boolean | null;
					config?: {
						duration_sec?: number | null;
						/** @enum {string|null} */
						orientation?: 'landscape' | 'portrait' | null;
						avatar_id?: string | null;
						voice_id?: string | null;
					} | null;
				};
			};
			'GET /v3/video-agents/{session_id}/resources/{resource_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/video-agents/{session_id}/stop': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/video-agents/{session_id}/videos': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/videos': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
					folder_id?: string;
					title?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/videos': {
				query: Record<string, never>;
				body:
					| components['schemas']['AvatarVideo']
					| components['schemas']['ImageVideo']
					| components['schemas']['CinematicVideo']
					| components['schemas']['StudioVideo'];
			};
			'GET /v3/videos/{video_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/videos/{video_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/videos/{video_id}/scenes': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/videos/batches': {
				query: Record<string, never>;
				body: {
					videos: (
						| components['schemas']['AvatarVideo']
						| components['schemas']['ImageVideo']
						| components['schemas']['CinematicVideo']
					)[];
					title?: string | null;
					folder_id?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
				};
			};
			'GET /v3/videos/batches/{batch_id}': {
				query: {
					/** @default 100 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'GET /v3/videos/statuses': {
				query: {
					/** @default [] */
					video_ids: string[];
					/** @default [] */
					batch_ids: string[];
				};
				body: Record<string, never>;
			};
			'POST /v3/models/videos': {
				query: Record<string, never>;
				body:
					| {
							/** @constant */
							mode: 'text_to_video';
							/** @enum {string} */
							aspect_ratio?: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16';
							model: string;
							prompt: string;
							duration?: number;
							/** @enum {string} */
							resolution?: '480p' | '768p';
							/** @enum {string} */
							prompt_enhancement?: 'quality' | 'turbo' | 'disabled' | 'default';
							seed?: number | null;
							callback_url?: components['schemas']['WebUrl'] | null;
							callback_id?: string | null;
					  }
					| {
							/** @constant */
							mode: 'image_to_video';
							image: components['schemas']['FileInput'];
							model: string;
							prompt: string;
							duration?: number;
							/** @enum {string} */
							resolution?: '480p' | '768p';
							/** @enum {string} */
							prompt_enhancement?: 'quality' | 'turbo' | 'disabled' | 'default';
							seed?: number | null;
							callback_url?: components['schemas']['WebUrl'] | null;
							callback_id?: string | null;
					  }
					| components['schemas']['ReferenceVideo'];
			};
			'GET /v3/models/videos/{video_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/templates': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/templates': {
				query: Record<string, never>;
				body: {
					video_id?: string;
					source_video_id?: string;
					name?: string;
				};
			};
			'GET /v3/templates/{template_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/templates/{template_id}': {
				query: Record<string, never>;
				body: {
					variables: {
						[key: string]: components['schemas']['TemplateVariable'];
					};
					title?: string | null;
					caption?: boolean;
					subtitles?: {
						preset_name: string;
						alignment?: number;
						disable_highlight?: boolean;
						font_size?: number | null;
						position?: {
							x?: number;
							y?: number;
						} | null;
					} | null;
					scene_ids?: string[] | null;
					dimension?: {
						width: number;
						height: number;
					} | null;
					/** @enum {unknown} */
					fps?: 25 | 30 | 60;
					folder_id?: string | null;
					include_gif?: boolean;
					enable_sharing?: boolean;
					keep_text_vertically_centered?: boolean;
					reorder_music?: boolean;
					brand_glossary_id?: string | null;
					/** @deprecated */
					brand_voice_id?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
				};
			};
			'PUT /v3/templates/{template_id}/variables': {
				query: Record<string, never>;
				body: {
					expected_edit_version: number;
					variables?: {
						name: string;
						text?: string;
						element_id?: string;
					}[];
				};
			};
			'POST /v3/models/audio/tts': {
				query: Record<string, never>;
				body: {
					voice_id: string;
					text: string;
					language: string;
					seed?: number;
					model?: string;
					speed?: number;
					pitch_shift?: number;
					pitch_variance?: number;
					expressiveness_boost?: number;
				};
			};
			'POST /v3/models/audio/tts/stream': {
				query: Record<string, never>;
				body: {
					voice_id: string;
					text: string;
					language: string;
					seed?: number;
					model?: string;
					speed?: number;
					pitch_shift?: number;
					pitch_variance?: number;
					expressiveness_boost?: number;
					with_timestamps?: boolean;
				};
			};
			'GET /v3/models/audio/voices': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/models/audio/voices': {
				query: Record<string, never>;
				body: {
					/** @enum {string} */
					mode: 'professional';
					audio: components['schemas']['FileInput'][];
					voice_id?: string;
					name?: string | null;
					language?: string | null;
				};
			};
			'GET /v3/models/audio/voices/{voice_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/models/audio/voices/{voice_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/voices/speech': {
				query: Record<string, never>;
				body: {
					text: string;
					voice_id: string;
					/** @enum {string} */
					input_type?: 'text' | 'ssml';
					speed?: number;
					language?: string | null;
					locale?: string | null;
					settings?: {
						model_id?: string;
					};
				};
			};
			'POST /v3/voices/clone': {
				query: Record<string, never>;
				body: {
					audio: components['schemas']['FileInput'];
					voice_name: string;
					language?: string | null;
					remove_background_noise?: boolean;
				};
			};
			'GET /v3/voices': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					/**
					 * @default public
					 * @enum {string}
					 */
					type: 'public' | 'private';
					engine?: string;
					language?: string;
					gender?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/voices': {
				query: Record<string, never>;
				body: {
					prompt: string;
					gender?: string | null;
					locale?: string | null;
					seed?: number;
				};
			};
			'GET /v3/voices/{voice_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/voices/{voice_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/audio/sounds': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
					query: string;
					/**
					 * @default music
					 * @enum {string}
					 */
					type: 'music' | 'sound_effects';
					/** @default 0.7 */
					min_score: number;
				};
				body: Record<string, never>;
			};
			'GET /v3/avatars': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					/** @enum {string} */
					ownership?: 'public' | 'private';
				};
				body: Record<string, never>;
			};
			'POST /v3/avatars': {
				query: Record<string, never>;
				body:
					| {
							/** @constant */
							type: 'prompt';
							name: string;
							prompt: string;
							reference_images?: components['schemas']['FileInput'][] | null;
							avatar_id?: string | null;
							avatar_group_id?: string | null;
							/** @enum {string} */
							aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:5' | '5:4' | 'auto';
					  }
					| {
							/** @constant */
							type: 'photo';
							name: string;
							file: components['schemas']['FileInput'];
							avatar_group_id?: string | null;
					  }
					| {
							/** @constant */
							type: 'digital_twin';
							name: string;
							file: components['schemas']['FileInput'];
							avatar_group_id?: string | null;
					  };
			};
			'GET /v3/avatars/{group_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/avatars/{group_id}': {
				query: Record<string, never>;
				body: {
					default_voice_id: string;
				};
			};
			'DELETE /v3/avatars/{group_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/avatars/{group_id}/consent': {
				query: Record<string, never>;
				body: {
					consent_text?: string | null;
					consent_video?: components['schemas']['FileInput'] | null;
					reroute_url?: components['schemas']['WebUrl'] | null;
				};
			};
			'GET /v3/avatars/looks': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					/** @enum {string} */
					ownership?: 'public' | 'private';
					group_id?: string;
					/** @enum {string} */
					avatar_type?: 'studio_avatar' | 'digital_twin' | 'photo_avatar';
				};
				body: Record<string, never>;
			};
			'POST /v3/avatars/looks': {
				query: Record<string, never>;
				body: {
					/** @enum {string} */
					type: 'look_pack' | 'template';
					reference_look_id?: string;
					template_id?: string;
					/** @example 9:16 */
					aspect_ratio?: string;
				};
			};
			'GET /v3/avatars/looks/{look_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/avatars/looks/{look_id}': {
				query: Record<string, never>;
				body: {
					name: string;
				};
			};
			'DELETE /v3/avatars/looks/{look_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/video-translations': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/video-translations': {
				query: Record<string, never>;
				body: components['schemas']['TranslationRequest'];
			};
			'GET /v3/video-translations/{video_translation_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/video-translations/{video_translation_id}': {
				query: Record<string, never>;
				body: {
					title: string;
				};
			};
			'DELETE /v3/video-translations/{video_translation_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/video-translations/languages': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/video-translations/batches': {
				query: Record<string, never>;
				body: {
					video_translations: components['schemas']['TranslationRequest'][];
					title?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
				};
			};
			'GET /v3/video-translations/batches/{batch_id}': {
				query: {
					/** @default 100 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'GET /v3/video-translations/statuses': {
				query: {
					/** @default [] */
					video_translation_ids: string[];
					/** @default [] */
					batch_ids: string[];
				};
				body: Record<string, never>;
			};
			'POST /v3/video-translations/proofreads': {
				query: Record<string, never>;
				body: {
					video: components['schemas']['StoredFileInput'];
					output_languages: string[];
					/** @enum {string} */
					mode?: 'speed' | 'precision';
					srt?: components['schemas']['StoredFileInput'] | null;
					speaker_num?: number | null;
					/** @enum {string|null} */
					fps_mode?: 'vfr' | 'cfr' | 'passthrough' | null;
					keep_the_same_format?: boolean | null;
					disable_music_track?: boolean;
					enable_speech_enhancement?: boolean;
					stock_voice_config?: {
						use_stock_voice?: boolean;
						preferred_stock_voice_ids?: string[];
					} | null;
					folder_id?: string | null;
					brand_glossary_id?: string | null;
					/** @deprecated */
					brand_voice_id?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
					title: string;
					enable_video_stretching?: boolean;
				};
			};
			'GET /v3/video-translations/proofreads/{proofread_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/video-translations/proofreads/{proofread_id}/srt': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PUT /v3/video-translations/proofreads/{proofread_id}/srt': {
				query: Record<string, never>;
				body: {
					srt: components['schemas']['StoredFileInput'];
				};
			};
			'POST /v3/video-translations/proofreads/{proofread_id}/generate': {
				query: Record<string, never>;
				body: {
					/** @deprecated */
					captions?: boolean;
					translate_audio_only?: boolean;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
				};
			};
			'GET /v3/lipsyncs': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/lipsyncs': {
				query: Record<string, never>;
				body: components['schemas']['LipsyncRequest'];
			};
			'GET /v3/lipsyncs/{lipsync_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/lipsyncs/{lipsync_id}': {
				query: Record<string, never>;
				body: {
					title: string;
				};
			};
			'DELETE /v3/lipsyncs/{lipsync_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/lipsyncs/batches': {
				query: Record<string, never>;
				body: {
					lipsyncs: components['schemas']['LipsyncRequest'][];
					title?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
				};
			};
			'GET /v3/lipsyncs/batches/{batch_id}': {
				query: {
					/** @default 100 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'GET /v3/lipsyncs/statuses': {
				query: {
					/** @default [] */
					lipsync_ids: string[];
					/** @default [] */
					batch_ids: string[];
				};
				body: Record<string, never>;
			};
			'GET /v3/ai-clipping': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/ai-clipping': {
				query: Record<string, never>;
				body: {
					video: components['schemas']['StoredFileInput'];
					title?: string | null;
					input_language?: string | null;
					output_settings?: {
						duration_types?: string[];
						/**
						 * @example landscape
						 * @example portrait
						 * @example square
						 */
						aspect_ratio?: string;
						captions?: boolean;
						/**
						 * @example subtle_gray
						 * @example shadow_mint
						 * @example subtle_cyan
						 * @example stamp_red
						 * @example retro_gold
						 * @example block_dark
						 * @example racing
						 * @example modern_dark
						 * @example modern_boxed
						 * @example chunky
						 * @example clean
						 * @example shadow_lime
						 * @example tag_yellow
						 * @example pop_purple
						 * @example spotlight
						 * @example outline_classic
						 * @example exotic
						 * @example golden
						 * @example simple
						 * @example pop_single
						 * @example energy
						 * @example bold
						 * @example elegant
						 * @example neon_pink
						 */
						caption_style?: string | null;
						prompt?: string | null;
					} | null;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
				};
			};
			'GET /v3/ai-clipping/{job_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/ai-clipping/{job_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/assets': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					username: string;
					folder_id?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/assets': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/assets/search': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
					query: string;
					/** @enum {string} */
					type: 'image' | 'icon';
					/**
					 * @default public
					 * @enum {string}
					 */
					scope: 'public' | 'personal';
				};
				body: Record<string, never>;
			};
			'GET /v3/assets/{asset_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/assets/{asset_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/assets/direct-uploads': {
				query: Record<string, never>;
				body: components['schemas']['DirectUploadRequest'];
			};
			'POST /v3/assets/{asset_id}/complete': {
				query: Record<string, never>;
				body: {
					checksum_sha256?: string | null;
				};
			};
			'POST /v3/assets/direct-uploads/batches': {
				query: Record<string, never>;
				body: {
					files: components['schemas']['DirectUploadRequest'][];
					title?: string | null;
					/**
					 * Format: uri
					 * @description Reserved. It is never called
					 */
					callback_url?: string | null;
				};
			};
			'POST /v3/assets/complete/batches': {
				query: Record<string, never>;
				body: {
					batch_id: string;
				};
			};
			'GET /v3/assets/batches/{batch_id}': {
				query: {
					/** @default 100 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'GET /v3/assets/statuses': {
				query: {
					/** @default [] */
					asset_ids: string[];
					/** @default [] */
					batch_ids: string[];
				};
				body: Record<string, never>;
			};
			'GET /v3/brand-kits': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/brand-kits': {
				query: Record<string, never>;
				body: {
					url: components['schemas']['PublicUrl'];
					name?: string;
				};
			};
			'GET /v3/brand-kits/{brand_kit_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/brand-kits/{brand_kit_id}': {
				query: Record<string, never>;
				body: {
					name?: string;
					color_roles?: {
						primary?: components['schemas']['HexColor'];
						secondary?: components['schemas']['HexColor'];
						tertiary?: components['schemas']['HexColor'];
						accent?: components['schemas']['HexColor'];
					};
					logo_roles?: {
						primary?: string;
					};
					font_roles?: {
						title_text?: {
							font_id: string;
							weight?: number;
						};
						body_text?: {
							font_id: string;
							weight?: number;
						};
					};
				};
			};
			'DELETE /v3/brand-kits/{brand_kit_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/brand-glossaries': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/brand-glossaries': {
				query: Record<string, never>;
				body: {
					/** @description Counted after trimming */
					name: string;
					terms?: {
						term: string;
						pronunciation: string;
					}[];
					do_not_translate_terms?: {
						term: string;
					}[];
					forced_translations?: {
						term: string;
						translation: string;
					}[];
				};
			};
			'GET /v3/brand-glossaries/{brand_glossary_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/brand-glossaries/{brand_glossary_id}': {
				query: Record<string, never>;
				body: {
					/** @description Counted after trimming */
					name?: string;
					terms?: {
						term: string;
						pronunciation: string;
					}[];
					do_not_translate_terms?: {
						term: string;
					}[];
					forced_translations?: {
						term: string;
						translation: string;
					}[];
				};
			};
			'DELETE /v3/brand-glossaries/{brand_glossary_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/folders': {
				query: Record<string, never>;
				body: {
					name: string;
					parent_id?: string | null;
					/** @enum {string} */
					type?: 'mixed' | 'video' | 'video_translate';
				};
			};
			'GET /v3/folders/{folder_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v1/folders/create': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/hyperframes/renders': {
				query: {
					/** @default 20 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/hyperframes/renders': {
				query: Record<string, never>;
				body: {
					project: components['schemas']['FileInput'];
					resolution?:
						| ('1080p' | '4k')
						| ('landscape' | 'landscape-4k' | 'portrait' | 'portrait-4k' | 'square' | 'square-4k');
					/** @enum {string} */
					aspect_ratio?: '16:9' | '9:16' | '1:1';
					composition?: string;
					variables?: Record<string, never>;
					fps?: number;
					/** @enum {string} */
					quality?: 'draft' | 'standard' | 'high';
					/** @enum {string} */
					format?: 'mp4' | 'webm' | 'mov';
					title?: string | null;
					callback_url?: components['schemas']['WebUrl'] | null;
					callback_id?: string | null;
				};
			};
			'GET /v3/hyperframes/renders/{render_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/hyperframes/renders/{render_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/background-removals': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/background-removals': {
				query: Record<string, never>;
				body: {
					video: components['schemas']['FileInput'];
					layers?: ('foreground' | 'mask' | 'background')[];
					title?: string | null;
					request_id?: string | null;
				};
			};
			'GET /v3/background-removals/{job_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'DELETE /v3/background-removals/{job_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/avatar-realtime': {
				query: Record<string, never>;
				body:
					| {
							/** @constant */
							type: 'tts';
							avatar_id: string;
							text: string;
							voice_id: string;
					  }
					| {
							/** @constant */
							type: 'audio';
							avatar_id: string;
							audio: components['schemas']['FileInput'];
					  }
					| {
							/** @constant */
							type: 'text_stream';
							avatar_id: string;
							text: string;
							voice_id: string;
					  };
			};
			'GET /v3/avatar-realtime/{stream_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/avatar-realtime/{stream_id}/words': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/avatar-realtime/{stream_id}/text': {
				query: Record<string, never>;
				body: {
					delta: string;
					final?: boolean;
				};
			};
			'POST /v3/avatar-realtime/{stream_id}/cancel': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/workflows': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/workflows': {
				query: Record<string, never>;
				body: {
					name: string;
					product_graph: components['schemas']['WorkflowGraph'];
					meta?: unknown;
				};
			};
			'GET /v3/workflows/{workflow_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'PATCH /v3/workflows/{workflow_id}': {
				query: Record<string, never>;
				body: {
					product_graph: components['schemas']['WorkflowGraph'];
					expected_revision: number;
				};
			};
			'GET /v3/workflows/node-types': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/workflows/{workflow_id}/versions': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/workflows/{workflow_id}/versions': {
				query: Record<string, never>;
				body: {
					product_graph: components['schemas']['WorkflowGraph'];
				};
			};
			'GET /v3/workflows/{workflow_id}/versions/{version}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/workflow-runs': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/workflow-runs': {
				query: Record<string, never>;
				body: {
					workflow_id: string;
					version_number?: number;
					inputs?: Record<string, never>;
				};
			};
			'GET /v3/workflow-runs/{run_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/workflow-runs/{run_id}/nodes': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/workflow-runs/{run_id}/cancel': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/webhooks/endpoints': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
				};
				body: Record<string, never>;
			};
			'POST /v3/webhooks/endpoints': {
				query: Record<string, never>;
				body: {
					url: components['schemas']['PublicUrl'];
					events?: components['schemas']['EventTypeName'][] | null;
					entity_id?: string | null;
				};
			};
			'PATCH /v3/webhooks/endpoints/{endpoint_id}': {
				query: Record<string, never>;
				body: {
					url?: components['schemas']['PublicUrl'];
					events?: components['schemas']['EventTypeName'][] | null;
				};
			};
			'DELETE /v3/webhooks/endpoints/{endpoint_id}': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/webhooks/event-types': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/webhooks/events': {
				query: {
					/** @default 10 */
					limit: number;
					token?: string;
					event_type?: components['schemas']['EventTypeName'];
					entity_id?: string;
				};
				body: Record<string, never>;
			};
			'GET /v3/users/me': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v1/user/me': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
			'GET /v3/api_keys/self': {
				query: Record<string, never>;
				body: Record<string, never>;
			};
		};
	};
}
export type Schemas = Omit<components['schemas'], 'Requests'>;
/** Query and body of each operation, by its request line. */
export type Requests = components['schemas']['Requests'];
